import JSON

/// A drafted resource.
struct ResourceDraft {
    var name = ""
    var api: String
    /// The comments above the resource.
    var comments: [String] = []
    var scope: [Parent] = []
    var id: ID
    var fields: [DraftField]
    /// The comment above the fields.
    var fieldsNote: String?
    /// The transport: `rest` or `graphql`.
    var transport = "rest"
    /// The path of the GraphQL endpoint.
    var path: String?
    var get: [DraftLine]?
    var many: [DraftLine]?
    var list: [DraftLine]?
    /// Comments on operations that could not be drafted completely.
    var remarks: [String] = []

    /// A parent of the items, which is a name of `scope`.
    struct Parent: Equatable {
        let name: String
        let type: DraftValue
        var note: String?
    }

    /// The declaration of the id.
    struct ID: Equatable {
        /// The type: `integer` or `string`.
        var type: String
        /// The steps of the selector of the id; by default the field `id`.
        var from = ["id"]
        /// The steps of the selector in list items, if they differ.
        var listed: [String]?
        var match: String?
        var note: String?

        var declared: DraftValue {
            if from == ["id"], listed == nil, match == nil { return .text(type) }
            var lines: [DraftLine] = [.text("type", type)]
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

    /// The resource as a member of `resources`. Parts with text that the catalog would replace are left out.
    var lines: [DraftLine] { DraftReferences.removed(from: written) }

    /// Whether `lines` leaves out a part.
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
        operations += remarks.map { .comment($0) }
        lines.append(.member(transport, .object(operations)))
        return comments.map { .comment($0) } + [.member(name, .object(lines))]
    }

    /// The fields for the catalog. A field `id` that holds the id gets the id's type and is never optional.
    private var declaredFields: [DraftLine] {
        fields.map { field in
            guard field.name == "id", id.from == ["id"], id.listed == nil, id.match == nil else { return field }
            return DraftField(name: "id", type: DraftType(id.type == "integer" ? .integer : .string))
        }.lines
    }
}

extension DraftValue {
    /// Returns a selector; its steps are an array if one of them contains a dot.
    static func selector(_ steps: [String]) -> DraftValue {
        steps.contains { $0.contains(".") || $0.isEmpty }
            ? .array(steps.map { .text($0) }) : .text(steps.joined(separator: "."))
    }
}
