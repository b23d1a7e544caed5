/// A route: the path of fields from the query root to the items of a type.
struct GraphQLRoute {
    enum Step {
        /// A field with the arguments that the schema declares.
        case call(GraphQLSchema.Field)
        /// A field that the query selects without arguments.
        case field(String)
        /// A fragment on one member type of a union or an interface. `errors` contains the error types of the same
        /// union.
        case fragment(on: String, errors: [GraphQLSchema.Definition])
        /// A step from a list to each of its elements. The steps after this step lead from the element to the items.
        case elements
    }

    var steps: [Step]
    /// The object that wraps the list, such as a connection: its type, and the index in `steps` of the step that
    /// returns it. Nil if no object wraps the list.
    var page: (type: GraphQLSchema.Definition, step: Int)?

    /// The fields of the route that can have arguments: one field of the query root, and at most two nested fields.
    var calls: [GraphQLSchema.Field] { steps.compactMap { if case .call(let field) = $0 { field } else { nil } } }

    /// Whether the route ends with a fragment, such as `... on Issue`. The last field may then also return items of
    /// other types. A fragment on a union with error types does not count.
    var isFragment: Bool { if case .fragment(_, let errors)? = steps.last { errors.isEmpty } else { false } }

    /// Returns the first `count` steps of the route as the path of a catalog selector.
    func path(_ count: Int) -> [String] {
        steps.prefix(count).compactMap { step in
            switch step {
            case .call(let field): field.name
            case .field(let name): name
            case .elements: "*"
            case .fragment: nil
            }
        }
    }
}

/// Finds the routes from the query root of a GraphQL schema to each type in the schema.
struct GraphQLRoutes {
    /// The routes to the items of one type: routes to single items, and routes to lists.
    struct Target {
        var items: [GraphQLRoute] = []
        var lists: [GraphQLRoute] = []
    }

    // The limits bound the work for a hostile schema.
    private static let (maxRoot, maxFields, maxMembers, maxErrors) = (2_000, 300, 400, 100)
    private static let (maxRoutes, maxWork) = (60, 100_000)
    /// The maximum number of nested objects that wrap a list, such as `data.items`.
    private static let maxWrappers = 2
    private static let wrappers = [
        "edges", "nodes", "node", "items", "results", "result", "data", "records", "entries", "list", "connection",
        "page", "pageinfo", "objects", "rows", "values",
    ]
    private static let pages = ["Connection", "Page", "List", "Result", "Results", "Payload", "Response", "Collection"]

    /// The routes of one field, such as `issue`, by the type of their items. Objects that only wrap a list do not count
    /// as a field.
    private(set) var direct: [String: Target] = [:]
    /// The routes of two fields, such as `viewer.issues`, by the type of their items. Routes whose first field has
    /// required arguments come first.
    private(set) var below: [String: Target] = [:]
    /// The routes of three fields, such as `viewer.team.issues`, by the type of their items. Also contains the routes
    /// to lists in the elements of another list, such as `zoos.*.cats`.
    private(set) var nested: [String: Target] = [:]
    private let schema: GraphQLSchema
    private var unions: [String: Members] = [:]
    /// The number of fields and routes visited so far. The search ends when this number reaches a limit.
    private var work = 0
    /// The routes to lists, by the field of the query root with which they start. `type` is the name of the list's
    /// element type.
    private var outer: [String: [(type: String, route: GraphQLRoute)]] = [:]
    private static let maxOuter = 3

    /// The number of fields on the path from the query root to the items: one, two or three.
    private enum Level { case direct, below, nested }

    /// The members of a union: regular members and error types.
    private typealias Members = (members: [GraphQLSchema.Definition], errors: [GraphQLSchema.Definition])

    init(_ schema: GraphQLSchema) {
        self.schema = schema
        let root = (schema.types[schema.root]?.fields ?? []).prefix(Self.maxRoot)
        for field in root { explore(field.type, [.call(field)], .direct) }
        addNested(root)
        let parents = root.filter { field in field.arguments.allSatisfy { !$0.isRequired || isScalar($0.type) } }
        // A parent that arguments select is preferred to a constant parent, such as `viewer`.
        for isChosen in [true, false] {
            for field in parents where field.arguments.contains(where: \.isRequired) == isChosen {
                addBelow(field)
            }
        }
    }

    /// Whether the search found a route to the type with the given name.
    func has(_ name: String) -> Bool { direct[name] != nil || below[name] != nil || nested[name] != nil }

    private func isScalar(_ type: GraphQLSchema.Reference) -> Bool {
        type.element == nil && schema.type(type)?.isLeaf == true
    }

    private mutating func addBelow(_ field: GraphQLSchema.Field) {
        guard field.type.element == nil, let type = schema.type(field.type) else { return }
        func add(_ type: GraphQLSchema.Definition, _ steps: [GraphQLRoute.Step]) {
            for inner in type.fields.prefix(Self.maxFields) {
                explore(inner.type, steps + [.call(inner)], .below)
                addThird(inner, steps + [.call(inner)])
            }
        }
        if type.kind == "OBJECT" { return add(type, [.call(field)]) }
        guard type.kind == "UNION" else { return }
        let (members, errors) = members(of: type)
        for member in members.prefix(5) { add(member, [.call(field), .fragment(on: member.name, errors: errors)]) }
    }

    /// Extends a route of two fields by each field of the object that the second field returns.
    ///
    /// - Parameters:
    ///   - field: the second field.
    ///   - steps: the steps of the route, up to and including the second field.
    private mutating func addThird(_ field: GraphQLSchema.Field, _ steps: [GraphQLRoute.Step]) {
        guard field.type.element == nil, !field.arguments.contains(where: \.isRequired),
            let type = schema.type(field.type), type.kind == "OBJECT", !isPage(type, steps)
        else { return }
        for inner in type.fields.prefix(Self.maxFields) where work < Self.maxWork {
            work += 1
            explore(inner.type, steps + [.call(inner)], .nested)
        }
    }

    /// Finds lists that are nested in the elements of another list, such as `zoos.*.cats`. Adds a route for each nested
    /// list. The outer list must have neither required arguments nor pages.
    private mutating func addNested(_ root: some Sequence<GraphQLSchema.Field>) {
        for field in root {
            let isPaged = field.arguments.contains { input in
                let plain = DraftNames.normalized(input.name)
                return PaginationVocabulary.isPosition(plain) || PaginationVocabulary.sizes.contains(plain)
            }
            guard !isPaged, !field.arguments.contains(where: \.isRequired) else { continue }
            for (name, route) in outer[field.name] ?? [] {
                for inner in schema.types[name]?.fields.prefix(Self.maxFields) ?? [] {
                    guard work < Self.maxWork else { return }
                    work += 1
                    guard !inner.arguments.contains(where: \.isRequired), let element = inner.type.element,
                        element.element == nil, let type = schema.type(element), type.isObject
                    else { continue }
                    add(
                        GraphQLRoute(steps: route.steps + [.elements, .field(inner.name), .elements]), type.name,
                        isList: true,
                        .nested)
                }
            }
        }
        outer = [:]
    }

    private mutating func add(_ route: GraphQLRoute, _ name: String, isList: Bool, _ level: Level) {
        work += 1
        guard work < Self.maxWork else { return }
        func append(_ target: inout Target) {
            if isList {
                if target.lists.count < Self.maxRoutes { target.lists.append(route) }
            } else if target.items.count < Self.maxRoutes {
                target.items.append(route)
            }
        }
        switch level {
        case .direct:
            append(&direct[name, default: Target()])
            if isList, case .call(let field)? = route.steps.first, outer[field.name, default: []].count < Self.maxOuter
            {
                outer[field.name, default: []].append((name, route))
            }
        case .below: append(&below[name, default: Target()])
        case .nested: append(&nested[name, default: Target()])
        }
    }

    /// Searches the type of a field for items, and adds the routes that lead to them.
    ///
    /// - Parameter wrappers: the number of wrapper objects, such as `data`, between the field and this type.
    private mutating func explore(
        _ reference: GraphQLSchema.Reference, _ steps: [GraphQLRoute.Step], wrappers: Int = 0, _ level: Level
    ) {
        guard work < Self.maxWork, let type = schema.type(reference) else { return }
        if let element = reference.element {
            if element.element == nil { addList(type, GraphQLRoute(steps: steps), level) }
            return
        }
        func item(_ name: String, _ steps: [GraphQLRoute.Step]) {
            if wrappers == 0 { add(GraphQLRoute(steps: steps), name, isList: false, level) }
        }
        switch type.kind {
        case "OBJECT":
            item(type.name, steps)
            explorePage(type, steps, wrappers: wrappers, level)
        case "INTERFACE":
            item(type.name, steps)
            for name in type.members.prefix(Self.maxMembers) { item(name, steps + [.fragment(on: name, errors: [])]) }
        case "UNION" where wrappers == 0:
            let (members, errors) = members(of: type)
            for member in members {
                let inner = steps + [.fragment(on: member.name, errors: errors)]
                item(member.name, inner)
                explorePage(member, inner, wrappers: 0, level)
            }
        default: break
        }
    }

    private mutating func explorePage(
        _ type: GraphQLSchema.Definition, _ steps: [GraphQLRoute.Step], wrappers: Int, _ level: Level
    ) {
        work += min(type.fields.count, Self.maxFields)
        guard work < Self.maxWork, wrappers < Self.maxWrappers, isPage(type, steps) else { return }
        for inner in type.fields.prefix(Self.maxFields) where !inner.arguments.contains(where: \.isRequired) {
            let next = steps + [.field(inner.name)]
            if let element = inner.type.element {
                guard element.element == nil, let items = schema.type(element) else { continue }
                addList(items, GraphQLRoute(steps: next, page: (type, steps.count - 1)), level)
            } else if Self.wrappers.contains(DraftNames.normalized(inner.name)),
                schema.type(inner.type)?.isObject == true
            {
                explore(inner.type, next, wrappers: wrappers + 1, level)
            }
        }
    }

    /// Whether an object only wraps a list. True if the name of its type or of one of its fields is typical of such
    /// objects, as `IssueConnection` and `nodes` are. Also true if the type has no `id`, and the field of the query
    /// root with which the route starts requires no arguments.
    private func isPage(_ type: GraphQLSchema.Definition, _ steps: [GraphQLRoute.Step]) -> Bool {
        if Self.pages.contains(where: { type.name.hasSuffix($0) }) { return true }
        let names = type.fields.prefix(Self.maxFields).map { DraftNames.normalized($0.name) }
        if names.contains(where: { Self.wrappers.contains($0) }) { return true }
        guard case .call(let field)? = steps.first else { return false }
        return !names.contains("id") && !field.arguments.contains(where: \.isRequired)
    }

    private mutating func addList(_ type: GraphQLSchema.Definition, _ route: GraphQLRoute, _ level: Level) {
        if type.kind == "UNION" {
            let (members, _) = members(of: type)
            guard members.count == 1, let member = members.first else { return }
            var route = route
            route.steps.append(.fragment(on: member.name, errors: []))
            return add(route, member.name, isList: true, level)
        }
        guard type.isObject else { return }
        add(route, type.name, isList: true, level)
        if let node = type.field("node"), node.type.element == nil, schema.type(node.type)?.isObject == true {
            var route = route
            route.steps += [.elements, .field("node")]
            add(route, node.type.name, isList: true, level)
        }
    }

    /// Returns the members of a union, divided into items and errors. If all members look like errors, treats all of
    /// them as items.
    private mutating func members(of type: GraphQLSchema.Definition) -> Members {
        if let known = unions[type.name] { return known }
        let all = type.members.prefix(Self.maxMembers).compactMap { schema.types[$0] }
        let errors = all.filter { isError($0) }
        var found: Members = (all, [])
        if errors.count < all.count { found = (all.filter { !isError($0) }, Array(errors.prefix(Self.maxErrors))) }
        unions[type.name] = found
        return found
    }

    /// Whether the values of a type are never items. True for errors, for connections and their edges, and for other
    /// objects that only wrap a list.
    static func isAuxiliary(_ type: GraphQLSchema.Definition) -> Bool {
        if ["Connection", "Edge", "Error", "PageInfo", "Payload"].contains(where: { type.name.hasSuffix($0) }) {
            return true
        }
        return type.field("id") == nil
            && type.fields.contains { field in
                field.type.element != nil && wrappers.contains(DraftNames.normalized(field.name))
            }
    }

    /// Whether a type looks like an error: its name ends in "Error", or it has a message but neither an id nor a list.
    private func isError(_ type: GraphQLSchema.Definition) -> Bool {
        if type.name.hasSuffix("Error") { return true }
        return type.field("message") != nil && type.field("id") == nil
            && !type.fields.contains { $0.type.element != nil }
    }
}
