/// Assigns a unique name to each resource of a document.
struct ResourceNames {
    private var taken: Set<String> = []
    /// For each name that several resources would get, the next number to append to the name.
    private var numbers: [String: Int] = [:]

    /// The maximum number of words in a name.
    private static let maxWords = 16
    /// Words of a path that are too general to name a resource on their own.
    private static let ordinary: Set<String> = ["search", "list", "all", "find", "query", "lookup", "latest", "index"]

    /// Returns the shortest unused name for a resource, and marks the name as used. The name is made from the last word
    /// of the path. If this name is already used, earlier words of the path are added in front.
    ///
    /// - Parameter words: the words of a path, the last word first.
    mutating func add(_ words: [String]) -> String {
        let name = free(words.prefix(Self.maxWords).filter { !Self.isVersion($0) })
        taken.insert(name)
        return name
    }

    private mutating func free(_ words: [String]) -> String {
        var name = ""
        for word in words {
            guard let part = DraftNames.resource(DraftNames.singular(word)) else { continue }
            name = name.isEmpty ? part : "\(part)_\(name)"
            if !taken.contains(name), !(Self.ordinary.contains(name.lowercased()) && words.count > 1) { return name }
        }
        if let plural = words.first.flatMap({ DraftNames.resource($0) }), !taken.contains(plural) { return plural }
        if name.isEmpty { name = "item" }
        guard taken.contains(name) else { return name }
        // Each number is tried only once, even if many resources have the same words.
        var number = numbers[name] ?? 2
        while taken.contains("\(name)_\(number)") { number += 1 }
        numbers[name] = number + 1
        return "\(name)_\(number)"
    }

    /// Whether a word in a path is too general to name a resource: a version or a common prefix, such as `v1`, `api` or
    /// `2021-01`.
    static func isVersion(_ word: String) -> Bool {
        ["api", "rest"].contains(word.lowercased()) || word.first?.isNumber == true
            || (word.lowercased().hasPrefix("v") && word.dropFirst().first?.isNumber == true)
    }
}
