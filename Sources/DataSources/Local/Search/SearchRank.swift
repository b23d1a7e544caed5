import JSON

/// The rank of an item in the results of a text search. It depends on how well the strings in the item match the search
/// words. Words are compared without regard to case.
// SQLite's own rank does not know which field is a name, or whether a match is a whole word.
struct SearchRank: Comparable {
    /// The maximum number of matches that Larder sorts by `SearchRank`. Further matches stay in SQLite's order.
    static let maxRanked = 500

    /// The names of fields that usually contain the name or title of an item. Fields that end with `name` or `title`
    /// need not be listed here.
    private static let names: Set = ["label", "login", "subject", "summary", "headline", "key", "id"]

    /// The quality of the match, from 0 (the best) to 4:
    ///
    /// * 0: a name equals the search text.
    /// * 1: a name contains all search words.
    /// * 2: words in a name begin with the search words.
    /// * 3: the item contains all search words.
    /// * 4: words in the item begin with the search words.
    let tier: Int

    static func < (left: SearchRank, right: SearchRank) -> Bool { left.tier < right.tier }

    /// Computes the rank of an item in the results of a text search.
    ///
    /// - Parameters:
    ///   - json: the JSON of an item that matches the search text.
    ///   - words: the search words, from `words(of:)`.
    init(of json: [UInt8], for words: [String]) {
        guard !words.isEmpty, let document = try? JSONDocument(json) else {
            tier = 4
            return
        }
        let (named, other) = document.withRoot { Self.texts(in: $0) }
        let names = named.map { Self.words(of: $0) }
        tier =
            if names.contains(words) {
                0
            } else if names.contains(where: { Self.has(words, in: $0, { $0 == $1 }) }) {
                1
            } else if names.contains(where: { Self.has(words, in: $0, { $0.hasPrefix($1) }) }) {
                2
            } else if Self.has(words, in: names.flatMap { $0 } + other.flatMap { Self.words(of: $0) }, { $0 == $1 }) {
                3
            } else {
                4
            }
    }

    /// Returns the words of a string in lower case. A word is a sequence of letters and digits.
    static func words(of text: String) -> [String] {
        text.lowercased().unicodeScalars.split { scalar in
            !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
                && scalar.properties.generalCategory != .nonspacingMark
        }.map { String(String.UnicodeScalarView($0)) }
    }

    private static func has(_ words: [String], in found: [String], _ fits: (String, String) -> Bool) -> Bool {
        words.allSatisfy { word in found.contains { fits($0, word) } }
    }

    /// Splits the strings of an item into names and other strings. Strings in nested objects and arrays are never
    /// names.
    private static func texts(in root: JSONView) -> (names: [String], other: [String]) {
        var (names, other): ([String], [String]) = ([], [])
        for member in root.members {
            let key = (member.key.string ?? "").lowercased()
            let isName = self.names.contains(key) || key.hasSuffix("name") || key.hasSuffix("title")
            if isName, let text = member.value.string ?? member.value.number {
                names.append(text)
            } else {
                collect(member.value, into: &other)
            }
        }
        return (names, other)
    }

    /// Collects the strings of a JSON value, including nested strings.
    // The recursion is not too deep, because the parser limits the nesting of JSON.
    private static func collect(_ view: JSONView, into texts: inout [String]) {
        switch view.kind {
        case .string: if let text = view.string { texts.append(text) }
        case .array: for element in view.elements { collect(element, into: &texts) }
        case .object: for member in view.members { collect(member.value, into: &texts) }
        case .null, .true, .false, .number: break
        }
    }
}
