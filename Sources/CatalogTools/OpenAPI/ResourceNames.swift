/// Gives each resource of a document a name of its own.
struct ResourceNames {
    private var taken: Set<String> = []
    /// The next number to try for names of which all unnumbered forms are taken.
    private var numbers: [String: Int] = [:]

    /// Each further word is tried with all words before it.
    private static let maxWords = 16
    /// Words that say nothing without what they belong to.
    private static let ordinary: Set<String> = ["search", "list", "all", "find", "query", "lookup", "latest", "index"]

    /// Takes the shortest name that is free: what an item is called, then with what it belongs to.
    ///
    /// - Parameter words: the words of a path, the last first.
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
        // Each number is tried once, however many resources have these words.
        var number = numbers[name] ?? 2
        while taken.contains("\(name)_\(number)") { number += 1 }
        numbers[name] = number + 1
        return "\(name)_\(number)"
    }

    /// `v1`, `api`, `2021-01`.
    static func isVersion(_ word: String) -> Bool {
        ["api", "rest"].contains(word.lowercased()) || word.first?.isNumber == true
            || (word.lowercased().hasPrefix("v") && word.dropFirst().first?.isNumber == true)
    }
}
