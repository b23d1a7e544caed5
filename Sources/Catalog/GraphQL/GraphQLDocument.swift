/// A parsed GraphQL document: its operations and fragments, and the variables that they declare and use.
package struct GraphQLDocument: Equatable {
    package var operations: [Operation] = []
    package var fragments: [Fragment] = []

    package struct Operation: Equatable {
        /// The kind of operation: `query`, `mutation` or `subscription`.
        package let kind: String
        package let name: String?
        package let offset: Int
        package var variables: [Variable] = []
        package var uses = Uses()
    }

    package struct Fragment: Equatable {
        package let name: String
        package let offset: Int
        package var uses = Uses()
    }

    /// A variable that an operation declares.
    package struct Variable: Equatable {
        package let name: String
        package let offset: Int
        /// The type of the variable as written in the document, such as `[ID!]!`.
        let type: String
        package let hasDefault: Bool

        /// Whether the variable is required. A request without a required variable fails.
        package var isRequired: Bool { type.hasSuffix("!") && !hasDefault }
    }

    /// The variables and fragments that an operation or a fragment uses directly.
    package struct Uses: Equatable {
        var variables: [Name] = []
        package var fragments: [Name] = []
    }

    package struct Name: Equatable {
        package let name: String
        package let offset: Int
    }

    /// Returns the operation to execute. Nil if no operation has the given name, or if no name is given and the
    /// document has several operations.
    package func operation(named name: String?) -> Operation? {
        if let name { return operations.first { $0.name == name } }
        return operations.count == 1 ? operations.first : nil
    }

    /// Returns the variables that an operation uses, directly or in its fragments.
    package func variables(usedBy operation: Operation) -> [Name] {
        var names = operation.uses.variables
        for fragment in reached(from: operation) { names += fragment.uses.variables }
        return names
    }

    /// Returns the fragments that an operation uses, directly or through other fragments. Each fragment is returned
    /// once.
    func reached(from operation: Operation) -> [Fragment] { reached(from: operation.uses.fragments) }

    /// The names of all fragments that the operations use.
    package var fragmentsInUse: Set<String> { Set(reached(from: operations.flatMap(\.uses.fragments)).map(\.name)) }

    private func reached(from uses: [Name]) -> [Fragment] {
        let places = places
        var seen: Set<String> = []
        var pending = uses.map(\.name)
        var found: [Fragment] = []
        while let name = pending.popLast() {
            guard seen.insert(name).inserted, let place = places[name] else { continue }
            found.append(fragments[place])
            pending += fragments[place].uses.fragments.map(\.name)
        }
        return found
    }

    /// A fragment that uses itself, directly or through other fragments; nil if there is none. If several fragments use
    /// each other in a cycle, returns the one that comes first in the document.
    package var circle: Fragment? {
        let places = places
        let spread = fragments.map { fragment in fragment.uses.fragments.compactMap { places[$0.name] } }
        var isDone = [Bool](repeating: false, count: fragments.count)
        // The depth of each fragment on the current path; nil for a fragment outside the path.
        var depths = [Int?](repeating: nil, count: fragments.count)
        for start in fragments.indices where !isDone[start] {
            // An explicit stack instead of recursion, because a document can chain thousands of fragments.
            var way: [(place: Int, used: Int)] = [(place: start, used: 0)]
            depths[start] = 0
            while let last = way.last {
                guard last.used < spread[last.place].count else {
                    way.removeLast()
                    depths[last.place] = nil
                    isDone[last.place] = true
                    continue
                }
                way[way.count - 1].used += 1
                let next = spread[last.place][last.used]
                if let depth = depths[next] { return way[depth...].map { $0.place }.min().map { fragments[$0] } }
                if isDone[next] { continue }
                depths[next] = way.count
                way.append((place: next, used: 0))
            }
        }
        return nil
    }

    /// For each fragment name, the index of the first fragment with this name.
    private var places: [String: Int] {
        Dictionary(fragments.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
}
