/// What a GraphQL document has: its operations and fragments, the variables that they declare and use.
struct GraphQLDocument: Equatable {
    var operations: [Operation] = []
    var fragments: [Fragment] = []

    struct Operation: Equatable {
        /// `query`, `mutation` or `subscription`.
        let kind: String
        let name: String?
        let offset: Int
        var variables: [Variable] = []
        var uses = Uses()
    }

    struct Fragment: Equatable {
        let name: String
        let offset: Int
        var uses = Uses()
    }

    /// A variable that an operation declares.
    struct Variable: Equatable {
        let name: String
        let offset: Int
        /// The type as written, such as `[ID!]!`.
        let type: String
        let hasDefault: Bool

        /// Whether a request without it fails.
        var isRequired: Bool { type.hasSuffix("!") && !hasDefault }
    }

    /// What a selection names, with the places.
    struct Uses: Equatable {
        var variables: [Name] = []
        var fragments: [Name] = []
    }

    struct Name: Equatable {
        let name: String
        let offset: Int
    }

    /// The operation that is sent; nil where there are several, and no name tells which.
    func operation(named name: String?) -> Operation? {
        if let name { return operations.first { $0.name == name } }
        return operations.count == 1 ? operations.first : nil
    }

    /// The variables that an operation uses, in its fragments too.
    func variables(usedBy operation: Operation) -> [Name] {
        var names = operation.uses.variables
        for fragment in reached(from: operation) { names += fragment.uses.variables }
        return names
    }

    /// The fragments that an operation spreads, also those that only fragments do; each once, so that one that
    /// spreads itself ends too.
    func reached(from operation: Operation) -> [Fragment] {
        var seen: Set<String> = []
        var waiting = operation.uses.fragments.map(\.name)
        var found: [Fragment] = []
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted, let fragment = fragments.first(where: { $0.name == name }) else {
                continue
            }
            found.append(fragment)
            waiting += fragment.uses.fragments.map(\.name)
        }
        return found
    }

    /// The first fragment that spreads itself, directly or through others; nil where none does.
    var circle: Fragment? {
        fragments.first { fragment in
            var start = Operation(kind: "query", name: nil, offset: fragment.offset)
            start.uses = fragment.uses
            return reached(from: start).contains { $0.name == fragment.name }
        }
    }
}
