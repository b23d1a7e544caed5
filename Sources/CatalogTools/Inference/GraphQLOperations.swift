import JSON

/// Builds the operations of a drafted resource: their GraphQL documents and their catalog declarations.
struct GraphQLOperations {
    private static let pageSize = 50

    let schema: GraphQLSchema
    let selection: GraphQLSelection
    let target: GraphQLSchema.Definition
    /// The GraphQL selection of the type's fields, without braces.
    let fields: String
    let key: String

    private(set) var scope: [ResourceDraft.Parent] = []
    private(set) var get: [DraftLine]?
    private(set) var many: [DraftLine]?
    private(set) var list: [DraftLine]?
    private(set) var remarks: [String] = []

    init(
        schema: GraphQLSchema, selection: GraphQLSelection, target: GraphQLSchema.Definition, fields: String,
        key: String
    ) {
        (self.schema, self.selection, self.target, self.fields, self.key) = (schema, selection, target, fields, key)
    }

    /// A GraphQL document during its construction: its variables and its fields. The variables are arguments of the
    /// fields.
    private struct Document {
        var variables: [String] = []
        var items: [String] = []

        /// Returns the GraphQL text of a field with its arguments. Declares a variable for each argument.
        mutating func call(_ name: String, _ arguments: [(GraphQLSchema.Input, variable: String)]) -> String {
            variables += arguments.map { "$\($0.variable): \($0.0.type.text)" }
            if arguments.isEmpty { return name }
            return "\(name)(\(arguments.map { "\($0.0.name): $\($0.variable)" }.joined(separator: ", ")))"
        }

        func text(_ selections: [String]) -> DraftValue {
            let inner = selections.reversed().reduce("") { $0.isEmpty ? $1 : "\($1) { \($0) }" }
            let head = variables.isEmpty ? "query" : "query (\(variables.joined(separator: ", ")))"
            return .text("\(head) { \(inner) }")
        }
    }

    mutating func build() {
        let root = schema.types[schema.root]?.fields ?? []
        let direct = root.map { GraphQLDraft.FieldRoute(parent: nil, field: $0) }
        findAll(direct)
        guard get == nil, list == nil else { return }
        // Otherwise the field is one level below: `repository(owner, name) { issue(number) issues(...) }`.
        for field in root where field.type.element == nil && field.arguments.contains(where: \.isRequired) {
            guard let type = schema.type(field.type), type.kind == "OBJECT",
                field.arguments.filter(\.isRequired).allSatisfy({ selection.parameter($0.type) != nil })
            else { continue }
            findAll(type.fields.map { GraphQLDraft.FieldRoute(parent: field, field: $0) })
            if get != nil || list != nil { return }
        }
    }

    private mutating func findAll(_ ways: [GraphQLDraft.FieldRoute]) {
        let name = DraftNames.normalized(target.name)
        let ones = ways.filter { $0.field.type.element == nil && $0.field.type.name == target.name }
        let one =
            ones.first { DraftNames.normalized($0.field.name) == name && idArgument(of: $0.field) != nil }
            ?? ones.first { idArgument(of: $0.field) != nil }
        if let one { makeGet(one) }
        let lists = ways.filter { $0.field.type.element != nil && $0.field.type.name == target.name }
        if let several = lists.first(where: { idsArgument(of: $0.field) != nil }) { makeMany(several) }
        let plain = lists.first { way in !way.field.arguments.contains { $0.isRequired && $0.type.element != nil } }
        if let wrapped = ways.first(where: { page(of: $0.field) != nil }) {
            makeList(wrapped)
        } else if let plain {
            makeList(plain)
        }
    }

    // MARK: Arguments

    private func idArgument(of field: GraphQLSchema.Field) -> GraphQLSchema.Input? {
        let simple = field.arguments.filter { selection.parameter($0.type) != nil && $0.type.element == nil }
        return simple.first { $0.name == "id" } ?? simple.first { $0.name == key } ?? simple.first {
            $0.type.name == "ID"
        }
            ?? (simple.filter(\.isRequired).count == 1 ? simple.first(where: \.isRequired) : nil)
    }

    private func idsArgument(of field: GraphQLSchema.Field) -> GraphQLSchema.Input? {
        field.arguments.first { $0.isRequired && $0.type.element != nil && $0.type.name == "ID" }
    }

    /// Adds required arguments to the scope, except arguments that are objects or lists. Returns the added arguments
    /// with their variables.
    private mutating func parents(_ inputs: [GraphQLSchema.Input]) -> [(GraphQLSchema.Input, variable: String)] {
        inputs.compactMap { input in
            guard let type = selection.parameter(input.type), input.type.element == nil else { return nil }
            let name = DraftNames.scope(input.name) ?? "parent_\(input.name)"
            if !scope.contains(where: { $0.name == name }) {
                scope.append(ResourceDraft.Parent(name: name, type: type))
            }
            return (input, name)
        }
    }

    private mutating func begin(_ way: GraphQLDraft.FieldRoute) -> (
        document: Document, selections: [String], path: [String]
    ) {
        var document = Document()
        guard let parent = way.parent else { return (document, [], []) }
        let call = document.call(parent.name, parents(parent.arguments.filter(\.isRequired)))
        return (document, [call], [parent.name])
    }

    // MARK: Operations

    private mutating func makeGet(_ way: GraphQLDraft.FieldRoute) {
        guard let id = idArgument(of: way.field) else { return }
        var (document, selections, path) = begin(way)
        let others = way.field.arguments.filter { $0.isRequired && $0.name != id.name }
        guard others.allSatisfy({ selection.parameter($0.type) != nil }) else { return }
        selections.append(document.call(way.field.name, [(id, "id")] + parents(others)))
        path.append(way.field.name)
        get = [
            .member("query", document.text(selections + [fields])), .member("item", .selector(path)),
        ]
        if id.name != key && id.name != "id" {
            remarks.append("'get' sends the id as '\(id.name)'; that this matches '\(key)' is a guess")
        }
    }

    private mutating func makeMany(_ way: GraphQLDraft.FieldRoute) {
        guard let ids = idsArgument(of: way.field), way.parent == nil,
            !way.field.arguments.contains(where: { $0.isRequired && $0.name != ids.name })
        else { return }
        var document = Document()
        let call = document.call(way.field.name, [(ids, "ids")])
        many = [.member("query", document.text([call, fields])), .text("items", way.field.name)]
    }

    /// Returns the path of the items in a page that a field returns, and the type of the page. Nil if the field does
    /// not return a page.
    private func page(of field: GraphQLSchema.Field) -> (items: [String], type: GraphQLSchema.Definition)? {
        guard field.type.element == nil, let type = schema.type(field.type), type.kind == "OBJECT" else { return nil }
        for inner in type.fields where inner.type.element != nil && inner.arguments.isEmpty {
            if inner.type.name == target.name { return ([inner.name], type) }
        }
        if let edges = type.field("edges"), edges.type.element != nil,
            schema.type(edges.type)?.field("node")?.type.name == target.name
        {
            return (["edges", "*", "node"], type)
        }
        return nil
    }

    private mutating func makeList(_ way: GraphQLDraft.FieldRoute) {
        var (document, selections, path) = begin(way)
        path.append(way.field.name)
        let page = page(of: way.field)
        let signs = page.map { scalars(of: $0.type, []) } ?? []
        var taken: [GraphQLSchema.Input] = []
        func argument(_ names: [String]) -> GraphQLSchema.Input? {
            way.field.arguments.first { names.contains(DraftNames.normalized($0.name)) && $0.type.element == nil }
        }
        var pagination: [DraftLine] = []
        var asked: [[String]] = []
        func sign(_ key: String, _ found: [String]?) {
            guard let found else { return }
            asked.append(found)
            pagination.append(.member(key, .selector(path + found)))
        }
        let size = argument(["first", "limit", "perpage", "pagesize", "take"])
        if page?.type.field("pageInfo") != nil, let after = argument(["after"]) {
            taken.append(after)
            pagination = [
                .text("style", "relay"), .text("param", after.name),
                .member("pageInfo", .selector(path + ["pageInfo"])),
            ]
            asked += [["pageInfo", "hasNextPage"], ["pageInfo", "endCursor"]]
            sign("count", PaginationVocabulary.count(signs))
        } else if let number = argument(PaginationVocabulary.pages), number.type.name == "Int" {
            taken.append(number)
            pagination = [.text("style", "page"), .text("param", number.name)]
            sign("pages", PaginationVocabulary.pageCount(signs))
            sign("count", PaginationVocabulary.count(signs))
            sign("more", PaginationVocabulary.more(signs))
        } else if let offset = argument(["offset", "skip"]), offset.type.name == "Int" {
            taken.append(offset)
            pagination = [.text("style", "offset"), .text("param", offset.name)]
            sign("count", PaginationVocabulary.count(signs))
            sign("more", PaginationVocabulary.more(signs))
        }
        if !pagination.isEmpty, let size, size.type.name == "Int" {
            taken.append(size)
            let members: [DraftLine] = [
                .text("param", size.name), .member("value", .json(.integer(Self.pageSize))),
            ]
            pagination.append(.member("size", .object(members)))
        }
        let backwards = ["before", "last"]
        var inputs = taken
        var filters: [DraftLine] = []
        for input in way.field.arguments
        where !taken.contains(where: { $0.name == input.name }) && !backwards.contains(input.name) {
            let made = self.filters(of: input)
            if made.isEmpty, input.isRequired {
                return remarks.append(
                    "'\(way.field.name)' requires the argument '\(input.name)', which cannot be a filter")
            }
            if made.isEmpty { continue }
            filters += made
            inputs.append(input)
        }
        selections.append(document.call(way.field.name, inputs.map { ($0, $0.name) }))
        let body = page.map { page in
            let items = page.items.count > 1 ? "edges { node { \(fields) } }" : "\(page.items[0]) { \(fields) }"
            return (Self.selections(asked) + [items]).joined(separator: " ")
        }
        var lines: [DraftLine] = [
            .member("query", document.text(selections + [body ?? fields])),
            .member("items", .selector(path + (page?.items ?? []))),
        ]
        if !filters.isEmpty { lines.append(.member("filters", .object(filters))) }
        if pagination.isEmpty {
            lines.append(.comment("no argument selects a page: the answer is taken for the whole list"))
        } else {
            lines.append(.member("pagination", .object(pagination)))
        }
        list = lines
    }

    /// Returns the filters for an argument. An argument with an input object becomes one filter for each field of the
    /// object.
    private func filters(of input: GraphQLSchema.Input) -> [DraftLine] {
        func line(_ name: String, _ sent: String, _ type: DraftValue, isRequired: Bool) -> DraftLine {
            if type == .text("string"), !isRequired { return .text(name, sent) }
            var lines: [DraftLine] = name == sent ? [] : [.text("param", sent)]
            lines.append(.member("type", type))
            if isRequired { lines.append(.flag("required", true)) }
            return .member(name, .object(lines))
        }
        if let type = selection.parameter(input.type) {
            return [line(input.name, input.name, type, isRequired: input.isRequired)]
        }
        guard let object = schema.type(input.type), object.kind == "INPUT_OBJECT", input.type.element == nil else {
            return []
        }
        return object.inputs.compactMap { inner in
            selection.parameter(inner.type).map {
                line(inner.name, "\(input.name).\(inner.name)", $0, isRequired: inner.isRequired && input.isRequired)
            }
        }
    }

    /// Returns the single values in a page type that are not items, such as a page count.
    private func scalars(of type: GraphQLSchema.Definition, _ path: [String]) -> [AnswerScalar] {
        var found: [AnswerScalar] = []
        for field in type.fields where field.type.element == nil && !field.arguments.contains(where: \.isRequired) {
            guard let inner = schema.type(field.type) else { continue }
            let place = path + [field.name]
            switch inner.name {
            case "Int": found.append(AnswerScalar(path: place, kind: .integer))
            case "Boolean": found.append(AnswerScalar(path: place, kind: .flag))
            case "String", "ID": found.append(AnswerScalar(path: place, kind: .text))
            case _ where inner.kind == "OBJECT" && path.isEmpty: found += scalars(of: inner, place)
            default: break
            }
        }
        return found
    }

    /// Combines paths to GraphQL selections: `info { count pages }` for `info.count` and `info.pages`.
    private static func selections(_ paths: [[String]]) -> [String] {
        var order: [String] = []
        var inner: [String: [String]] = [:]
        for path in paths {
            guard let first = path.first else { continue }
            if inner[first] == nil { order.append(first) }
            if path.count > 1, inner[first]?.contains(path[1]) != true { inner[first, default: []].append(path[1]) }
            if path.count == 1 { inner[first] = [] }
        }
        return order.map { name in
            let below = inner[name] ?? []
            return below.isEmpty ? name : "\(name) { \(below.joined(separator: " ")) }"
        }
    }
}
