import JSON

/// Builds the operations of a drafted resource: their GraphQL documents and their catalog declarations.
struct GraphQLOperations {
    private static let pageSize = 50
    private static let backwards = ["before", "last"]

    let schema: GraphQLSchema
    let selection: GraphQLSelection
    let target: GraphQLSchema.Definition
    /// The fields to request for each item, as a GraphQL selection without braces.
    let fields: String
    /// The name of the field that contains the id; nil if the type has no such field.
    private(set) var key: String?

    private(set) var scope: [ResourceDraft.Parent] = []
    private(set) var get: [DraftLine]?
    private(set) var many: [DraftLine]?
    private(set) var list: [DraftLine]?
    private(set) var remarks: [String] = []
    /// The fields that `get` and `list` request, such as `repository.issues`; `-` for a missing operation.
    private(set) var (getField, listField) = ("-", "-")

    init(
        schema: GraphQLSchema, selection: GraphQLSelection, target: GraphQLSchema.Definition, fields: String,
        key: String?
    ) {
        (self.schema, self.selection, self.target, self.fields, self.key) = (schema, selection, target, fields, key)
    }

    mutating func build(_ routes: GraphQLRoutes) {
        let direct = routes.direct[target.name] ?? GraphQLRoutes.Target()
        findAll(direct, isNode: false)
        if get == nil, list == nil { findBelow(routes.below[target.name] ?? GraphQLRoutes.Target()) }
        if get == nil, list == nil { findAll(routes.nested[target.name] ?? GraphQLRoutes.Target(), isNode: false) }
        // The field `node(id)` can return an object of any type.
        if get == nil, key == "id", scope.isEmpty { findAll(GraphQLRoutes.Target(items: direct.items), isNode: true) }
    }

    /// Builds the operations from the fields of one parent object. Prefers the first parent whose fields return both an
    /// item and a list of the type. If there is no such parent, chooses the first parent with a list, or else the first
    /// parent with an item.
    private mutating func findBelow(_ all: GraphQLRoutes.Target) {
        func name(_ route: GraphQLRoute) -> String { route.calls.first?.name ?? "" }
        let both = all.lists.first { list in
            all.items.contains { name($0) == name(list) && !$0.isFragment && idArgument(of: $0) != nil }
        }
        guard let parent = (both ?? all.lists.first ?? all.items.first).map(name) else { return }
        let items = all.items.filter { name($0) == parent }
        findAll(GraphQLRoutes.Target(items: items, lists: all.lists.filter { name($0) == parent }), isNode: false)
    }

    private mutating func findAll(_ routes: GraphQLRoutes.Target, isNode: Bool) {
        let name = DraftNames.normalized(target.name)
        func fits(_ route: GraphQLRoute) -> Bool {
            var own = DraftNames.normalized(route.calls.last?.name ?? "")
            if own.hasSuffix("orerror") { own = String(own.dropLast(7)) }
            return own == name || DraftNames.singular(own) == name
        }
        let ones = routes.items.filter { $0.isFragment == isNode && idArgument(of: $0) != nil }
        if let one = ones.first(where: fits) ?? ones.first { makeGet(one) }
        func required(_ route: GraphQLRoute) -> [GraphQLSchema.Input] {
            route.calls.last?.arguments.filter(\.isRequired) ?? []
        }
        if let several = routes.lists.first(where: { idsArgument(of: $0) != nil }) { makeMany(several) }
        let lists = routes.lists.filter { route in
            required(route).allSatisfy { !filters(of: $0).isEmpty && ($0.type.element == nil || route.page != nil) }
        }
        func rank(_ route: GraphQLRoute) -> Int {
            (required(route).isEmpty ? 0 : 4) + (route.page == nil ? 2 : 0) + (fits(route) ? 0 : 1)
        }
        if let best = lists.map(rank).min(), let route = lists.first(where: { rank($0) == best }) { makeList(route) }
    }

    // MARK: Arguments

    private func idArgument(of route: GraphQLRoute) -> GraphQLSchema.Input? {
        guard let field = route.calls.last else { return nil }
        let simple = field.arguments.filter { selection.parameter($0.type) != nil && $0.type.element == nil }
        return simple.first { $0.name == "id" } ?? simple.first { $0.name == key } ?? simple.first {
            $0.type.name == "ID"
        }
            ?? (simple.filter(\.isRequired).count == 1 ? simple.first(where: \.isRequired) : nil)
    }

    private func idsArgument(of route: GraphQLRoute) -> GraphQLSchema.Input? {
        guard route.steps.count == 1, let field = route.calls.first else { return nil }
        return field.arguments.first {
            $0.isRequired && $0.type.element != nil && ["ID", "Int", "String"].contains($0.type.name)
                && ($0.type.name == "ID" || DraftNames.normalized($0.name).hasSuffix("ids"))
        }
    }

    /// Adds the required arguments to the resource's scope, except arguments that take objects or lists. Returns the
    /// added arguments, each with the name of its GraphQL variable.
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

    /// Starts a GraphQL document with all fields of a route except the last. The arguments of the last field depend on
    /// the operation, so the caller adds it.
    private mutating func begin(_ route: GraphQLRoute) -> GraphQLDocumentText {
        var document = GraphQLDocumentText(route, to: target)
        for call in route.calls.dropLast() { document.call(call, parents(call.arguments.filter(\.isRequired))) }
        return document
    }

    // MARK: Operations

    private mutating func makeGet(_ route: GraphQLRoute) {
        guard let id = idArgument(of: route), let field = route.calls.last else { return }
        let others = field.arguments.filter { $0.isRequired && $0.name != id.name }
        guard others.allSatisfy({ selection.parameter($0.type) != nil && $0.type.element == nil }) else { return }
        if id.name != key, id.name != "id" {
            let own = target.fields.first { DraftNames.normalized($0.name) == DraftNames.normalized(id.name) }
            if let own, own.type.element == nil, schema.type(own.type)?.isLeaf == true,
                !own.arguments.contains(where: \.isRequired)
            {
                key = own.name
            }
        }
        guard let key else { return }
        var document = begin(route)
        document.call(field, [(id, "id")] + parents(others))
        get = [
            .member("query", document.text(fields)), .member("item", .selector(route.path(route.steps.count))),
        ]
        if let errors = document.errorRules() { get?.append(errors) }
        getField = route.calls.map(\.name).joined(separator: ".")
        let plain = DraftNames.normalized(id.name)
        if id.name != "id", plain != DraftNames.normalized(key), plain != DraftNames.normalized(target.name) + "id" {
            remarks.append("a guess: the argument '\(id.name)' of 'get' expects the item's field '\(key)'; check it")
        }
    }

    private mutating func makeMany(_ route: GraphQLRoute) {
        guard let ids = idsArgument(of: route), let field = route.calls.last, key != nil,
            !field.arguments.contains(where: { $0.isRequired && $0.name != ids.name })
        else { return }
        var document = GraphQLDocumentText(route, to: target)
        document.call(field, [(ids, "ids")])
        many = [.member("query", document.text(fields)), .text("items", field.name)]
    }

    private mutating func makeList(_ route: GraphQLRoute) {
        guard let field = route.calls.last else { return }
        var document = begin(route)
        let path = route.page.map { route.path($0.step + 1) } ?? []
        let signs = route.page.map { scalars(of: $0.type, []) } ?? []
        // The scope uses the names of parents as variables, so an argument with the same name needs another variable.
        let parents = Set(route.calls.dropLast().flatMap(\.arguments).filter(\.isRequired).map(\.name))
        func variable(_ input: GraphQLSchema.Input) -> String {
            parents.contains(input.name) ? "\(input.name)Filter" : input.name
        }
        var taken: [GraphQLSchema.Input] = []
        func argument(_ names: [String], _ types: [String]) -> GraphQLSchema.Input? {
            field.arguments.first { input in
                names.contains(DraftNames.normalized(input.name)) && input.type.element == nil
                    && types.contains(input.type.name)
            }
        }
        var pagination: [DraftLine] = []
        var note: String?
        var asked: [[String]] = []
        func sign(_ key: String, _ found: [String]?) {
            guard let found else { return }
            asked.append(found)
            pagination.append(.member(key, .selector(path + found)))
        }
        func page(_ style: String, _ input: GraphQLSchema.Input) {
            taken.append(input)
            pagination = [.text("style", style), .text("param", variable(input))]
        }
        let cursor = field.arguments.first { input in
            PaginationVocabulary.cursors.contains(DraftNames.normalized(input.name)) && input.type.element == nil
                && schema.type(input.type)?.kind == "SCALAR"
        }
        let info = route.page?.type.field("pageInfo").flatMap { schema.type($0.type) }
        if let info, info.field("hasNextPage") != nil, info.field("endCursor") != nil, let cursor {
            page("relay", cursor)
            pagination.append(.member("pageInfo", .selector(path + ["pageInfo"])))
            asked += [["pageInfo", "hasNextPage"], ["pageInfo", "endCursor"]]
        } else if let number = argument(PaginationVocabulary.pages, ["Int"]) {
            page("page", number)
            sign("pages", PaginationVocabulary.pageCount(signs))
            sign("more", PaginationVocabulary.more(signs))
        } else if let offset = argument(PaginationVocabulary.offsets, ["Int"]) {
            page("offset", offset)
            sign("more", PaginationVocabulary.more(signs))
        } else if let cursor {
            let next = PaginationVocabulary.nextCursor(signs, for: cursor.name)
            if next != nil {
                page("cursor", cursor)
                sign("next", next)
                sign("more", PaginationVocabulary.more(signs))
            } else if let key {
                page("cursor", cursor)
                pagination.append(.member("next", .object([.text("last", key)])))
                note = "a guess: the answer has no cursor, so the cursor may be the id of the last item"
            }
        }
        if !pagination.isEmpty {
            sign("count", PaginationVocabulary.count(signs))
            if let size = argument(["first"] + PaginationVocabulary.sizes, ["Int"]) {
                taken.append(size)
                let members: [DraftLine] = [
                    .text("param", variable(size)), .member("value", .json(.integer(Self.pageSize))),
                ]
                pagination.append(.member("size", .object(members)))
            }
        }
        var inputs = taken
        var filters: [DraftLine] = []
        var names: Set<String> = []
        for input in field.arguments
        where !taken.contains(where: { $0.name == input.name }) && !Self.backwards.contains(input.name) {
            // The scope already sends this argument, because the item needs it, too.
            if scope.contains(where: { $0.name == input.name }), !parents.contains(input.name) {
                inputs.append(input)
                continue
            }
            let made = self.filters(of: input, as: variable(input))
            if made.isEmpty { continue }
            for (name, sent, type, isRequired) in made {
                // Two input objects can have members with the same name.
                let free = [name, "\(input.name)_\(name)"].first { !names.contains($0) }
                guard let free else { continue }
                names.insert(free)
                filters.append(Self.line(free, sent, type, isRequired: isRequired))
            }
            inputs.append(input)
        }
        document.call(field, inputs.map { ($0, variable($0)) })
        if let page = route.page { document.asked = (page.step, Self.selections(asked)) }
        var lines: [DraftLine] = [
            .member("query", document.text(fields)), .member("items", .selector(route.path(route.steps.count))),
        ]
        if !filters.isEmpty { lines.append(.member("filters", .object(filters))) }
        if pagination.isEmpty {
            lines.append(.comment("no argument selects a page: the draft treats the answer as the whole list"))
        } else {
            lines.append(.member("pagination", .object(pagination), note: note))
        }
        if let errors = document.errorRules() { lines.append(errors) }
        list = lines
        listField = route.calls.map(\.name).joined(separator: ".")
    }

    /// A filter of a list. `sent` is the GraphQL variable that carries the filter, or a member of a variable, such as
    /// `filter.state`.
    private typealias Filter = (name: String, sent: String, type: DraftValue, isRequired: Bool)

    private static func line(_ name: String, _ sent: String, _ type: DraftValue, isRequired: Bool) -> DraftLine {
        if type == .text("string"), !isRequired { return .text(name, sent) }
        var lines: [DraftLine] = name == sent ? [] : [.text("param", sent)]
        lines.append(.member("type", type))
        if isRequired { lines.append(.flag("required", true)) }
        return .member(name, .object(lines))
    }

    /// Returns the filters that set an argument: a single filter, or one filter for each field of an input object.
    /// Empty if no filter can set the argument.
    private func filters(of input: GraphQLSchema.Input, as variable: String = "") -> [Filter] {
        if let type = selection.parameter(input.type) { return [(input.name, variable, type, input.isRequired)] }
        guard let object = schema.type(input.type), input.type.element == nil else { return [] }
        let made = object.inputs.compactMap { inner -> Filter? in
            selection.parameter(inner.type).map {
                (inner.name, "\(variable).\(inner.name)", $0, inner.isRequired && input.isRequired)
            }
        }
        let isComplete = object.inputs.allSatisfy { !$0.isRequired || selection.parameter($0.type) != nil }
        return isComplete ? made : []
    }

    /// Returns the scalar fields, such as a page count, of the object that contains a page.
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
    private static func selections(_ paths: [[String]]) -> String {
        var order: [String] = []
        var inner: [String: [String]] = [:]
        for path in paths {
            guard let first = path.first else { continue }
            if inner[first] == nil { order.append(first) }
            inner[first, default: []] += path.dropFirst()
        }
        return order.map { name in
            let below = inner[name] ?? []
            return below.isEmpty ? name : "\(name) { \(below.joined(separator: " ")) }"
        }.joined(separator: " ")
    }
}
