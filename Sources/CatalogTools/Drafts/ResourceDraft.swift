import JSON

/// A resource that is being drafted.
struct ResourceDraft {
    var name = ""
    var api: String
    /// What stands above it.
    var comments: [String] = []
    var scope: [Parent] = []
    var id: ID
    var fields: [DraftField]
    /// What stands above the fields.
    var fieldsNote: String?
    /// `rest` or `graphql`.
    var transport = "rest"
    /// The path of the endpoint over GraphQL.
    var path: String?
    var get: [DraftLine]?
    var many: [DraftLine]?
    var list: [DraftLine]?
    /// What could not be told of the operations.
    var remarks: [String] = []

    /// A parent of the items.
    struct Parent: Equatable {
        let name: String
        let type: DraftValue
        var note: String?
    }

    /// Where ids are found.
    struct ID: Equatable {
        /// `integer` or `string`.
        var type: String
        /// The steps of a selector; the field `id` where it says that.
        var from = ["id"]
        /// Those of a list, where they are others.
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

    /// The resource as a member of `resources`, without any part in which the catalog would fill in a text of the API.
    var lines: [DraftLine] { DraftReferences.removed(from: written) }

    /// Whether a part is left out of `lines`.
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
            lines.append(.comment("no fields are known: all of an item come out"))
        }
        var operations: [DraftLine] = path.map { [.text("path", $0)] } ?? []
        if let get { operations.append(.member("get", .object(get))) }
        if let many { operations.append(.member("getMany", .object(many))) }
        if let list { operations.append(.member("list", .object(list))) }
        operations += remarks.map { .comment($0) }
        lines.append(.member(transport, .object(operations)))
        return comments.map { .comment($0) } + [.member(name, .object(lines))]
    }

    /// A field `id` that holds the id has its type, and is always there.
    private var declaredFields: [DraftLine] {
        fields.map { field in
            guard field.name == "id", id.from == ["id"], id.listed == nil, id.match == nil else { return field }
            return DraftField(name: "id", type: DraftType(id.type == "integer" ? .integer : .string))
        }.lines
    }
}

extension DraftValue {
    /// A selector, its steps apart where one of them holds a dot.
    static func selector(_ steps: [String]) -> DraftValue {
        steps.contains { $0.contains(".") || $0.isEmpty }
            ? .array(steps.map { .text($0) }) : .text(steps.joined(separator: "."))
    }
}
