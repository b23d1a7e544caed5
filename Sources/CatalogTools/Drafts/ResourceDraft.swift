import JSON

/// A resource in a draft catalog.
struct ResourceDraft {
    var name = ""
    var api: String
    /// The comments above the resource in the draft.
    var comments: [String] = []
    /// The paths of the resource's operations in the document.
    var paths: [String] = []
    /// The tags of the resource's operations in the document.
    var tags: [String] = []
    var scope: [Parent] = []
    var id: ID
    var fields: [DraftField]
    /// The comment above the resource's fields in the draft.
    var fieldsNote: String?
    /// The catalog key for the resource's operations: `rest` or `graphql`.
    var transport = "rest"
    /// The path of the GraphQL endpoint; nil for REST.
    var path: String?
    var get: [DraftLine]?
    var many: [DraftLine]?
    var list: [DraftLine]?
    /// Comments about parts of the operations that the draft leaves out or that the user must complete.
    var remarks: [String] = []

    /// A parent of the items, such as the repository of issues. Each parent becomes a parameter in the catalog's
    /// `scope`.
    struct Parent: Equatable {
        let name: String
        let type: DraftValue
        var note: String?
    }

    struct ID: Equatable {
        /// The type of ids: `integer` or `string`.
        var type: String
        /// The path of the id in an item, one key per element. The default is the field `id`.
        var from = ["id"]
        /// The path of the id in a list item. Nil if the path is the same as in a single item.
        var listed: [String]?
        var match: String?
        /// The paths of the values that are joined to form the id. Empty if the id is a single value.
        var parts: [[String]] = []
        /// The separator between the values that form the id.
        var join: String?
        var note: String?

        var declared: DraftValue {
            if from == ["id"], listed == nil, match == nil, parts.isEmpty { return .text(type) }
            var lines: [DraftLine] = [.text("type", type)]
            if let join, !parts.isEmpty {
                return .object(
                    lines + [.member("from", .array(parts.map { .selector($0) })), .text("join", join)])
            }
            if let listed {
                let selectors: [DraftLine] = [
                    .member("get", .selector(from)), .member("list", .selector(listed)),
                ]
                lines.append(.member("from", .object(selectors)))
            } else {
                lines.append(.member("from", .selector(from)))
            }
            if let match { lines.append(.text("match", match)) }
            if from.isEmpty { lines.append(.flag("hash", true)) }
            return .object(lines)
        }
    }

    /// The resource as a member of `resources`. Omits members with `${` in a string, because the catalog would treat
    /// the string as a reference.
    var lines: [DraftLine] { DraftReferences.removed(from: written) }

    /// Whether the draft leaves out members of the resource because they contain `${`.
    var hasReferences: Bool { lines != written }

    private var written: [DraftLine] {
        var lines: [DraftLine] = [.text("api", api)]
        if !scope.isEmpty {
            let parents = scope.map { DraftLine.member($0.name, $0.type, note: $0.note) }
            lines.append(.member("scope", .object(parents)))
        }
        lines.append(.member("id", id.declared, note: id.note))
        let fields = declaredFields
        if fields.contains(where: { if case .member = $0 { true } else { false } }) {
            lines.append(.member("fields", .object(fields), note: fieldsNote))
        } else {
            lines.append(.comment("no fields are known: items are returned unchanged"))
        }
        var operations: [DraftLine] = path.map { [.text("path", $0)] } ?? []
        if let get { operations.append(.member("get", .object(get))) }
        if let many { operations.append(.member("getMany", .object(many))) }
        if let list { operations.append(.member("list", .object(list))) }
        if let suggestion = SyncSuggestion.comment(on: self) { operations.append(suggestion) }
        operations += remarks.map { .comment($0) }
        lines.append(.member(transport, .object(operations)))
        return comments.map { .comment($0) } + [.member(name, .object(lines))]
    }

    /// The declarations of the fields in the catalog. If the field `id` contains the item's id, the field has the type
    /// of the id and is never optional.
    private var declaredFields: [DraftLine] {
        fields.map { field in
            guard field.name == "id", id.from == ["id"], id.listed == nil, id.match == nil, id.parts.isEmpty else {
                return field
            }
            return DraftField(name: "id", type: DraftType(id.type == "integer" ? .integer : .string))
        }.lines
    }
}

extension DraftValue {
    /// Returns a path in the form of a catalog's selector: a dotted string, or an array if a key contains a dot.
    static func selector(_ steps: [String]) -> DraftValue {
        steps.contains { $0.contains(".") || $0.isEmpty }
            ? .array(steps.map { .text($0) }) : .text(steps.joined(separator: "."))
    }
}
