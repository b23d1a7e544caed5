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
    func reached(from operation: Operation) -> [Fragment] { reached(from: operation.uses.fragments) }

    /// The names of the fragments that any operation spreads.
    var fragmentsInUse: Set<String> { Set(reached(from: operations.flatMap(\.uses.fragments)).map(\.name)) }

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
    var circle: Fragment? {
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
