/// What a GraphQL document has: its operations and fragments, the variables that they declare and use.
package struct GraphQLDocument: Equatable {
    package var operations: [Operation] = []
    package var fragments: [Fragment] = []

    package struct Operation: Equatable {
        /// `query`, `mutation` or `subscription`.
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
        /// The type as written, such as `[ID!]!`.
        let type: String
        package let hasDefault: Bool

        /// Whether a request without it fails.
        package var isRequired: Bool { type.hasSuffix("!") && !hasDefault }
    }

    /// What a selection names, with the places.
    package struct Uses: Equatable {
        var variables: [Name] = []
        package var fragments: [Name] = []
    }

    package struct Name: Equatable {
        package let name: String
        package let offset: Int
    }

    /// The operation that is sent; nil where there are several, and no name tells which.
    package func operation(named name: String?) -> Operation? {
        if let name { return operations.first { $0.name == name } }
        return operations.count == 1 ? operations.first : nil
    }

    /// The variables that an operation uses, in its fragments too.
    package func variables(usedBy operation: Operation) -> [Name] {
        var names = operation.uses.variables
        for fragment in reached(from: operation) { names += fragment.uses.variables }
        return names
    }

    /// The fragments that an operation spreads, also those that only fragments do; each once, so that one that
    /// spreads itself ends too.
    func reached(from operation: Operation) -> [Fragment] { reached(from: operation.uses.fragments) }

    /// The names of the fragments that any operation spreads.
    package var fragmentsInUse: Set<String> { Set(reached(from: operations.flatMap(\.uses.fragments)).map(\.name)) }

    private func reached(from uses: [Name]) -> [Fragment] {
        let places = places
        var seen: Set<String> = []
        var waiting = uses.map(\.name)
        var found: [Fragment] = []
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted, let place = places[name] else { continue }
            found.append(fragments[place])
            waiting += fragments[place].uses.fragments.map(\.name)
        }
        return found
    }

    /// A fragment that spreads itself, directly or through others: of the first circle that is met, the one that stands
    /// first. nil where none does.
    package var circle: Fragment? {
        let places = places
        let spread = fragments.map { fragment in fragment.uses.fragments.compactMap { places[$0.name] } }
        var isDone = [Bool](repeating: false, count: fragments.count)
        // Where a fragment stands on the way that is followed; nil where it does not.
        var depths = [Int?](repeating: nil, count: fragments.count)
        for start in fragments.indices where !isDone[start] {
            // A way of its own, and no recursion: a document may be a chain of thousands.
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

    /// Where the fragment of a name stands; of several the first.
    private var places: [String: Int] {
        Dictionary(fragments.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
}
