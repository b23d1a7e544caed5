import Catalog
import JSON
import System

/// Derives the names of resources and fields in a drafted catalog from the names in API documents and responses.
enum DraftNames {
    /// The prefixes of Larder's own methods. Resources cannot have these names.
    private static let reserved: Set<String> = ["cache", "recents", "request", "rpc", "server"]
    private static let alike: Set<String> = ["news", "series", "species", "status", "sms", "dns", "https", "aws", "os"]
    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "movies": "movie", "indices": "index",
        "matrices": "matrix", "vertices": "vertex", "statuses": "status", "viruses": "virus", "bonuses": "bonus",
        "campuses": "campus", "buses": "bus", "cookies": "cookie", "caches": "cache", "aliases": "alias",
        "bases": "base",
        "databases": "database", "canvases": "canvas", "axes": "axis", "sizes": "size", "analyses": "analysis",
    ]

    /// Returns the singular of a word: `issue` for `issues`.
    static func singular(_ word: String) -> String {
        // Only the last word of a name such as `pull_requests` or `productSets` changes.
        let start =
            word.lastIndex { $0 == "_" || $0 == "-" || $0 == "." }.map { word.index(after: $0) }
            ?? word.lastIndex { $0.isUppercase }.flatMap { $0 == word.startIndex ? nil : $0 } ?? word.startIndex
        let (head, last) = (word[..<start], String(word[start...]))
        let small = last.lowercased()
        if alike.contains(small) { return word }
        if let other = irregular[small] { return head + other }
        func without(_ count: Int, _ end: String = "") -> String { head + last.dropLast(count) + end }
        for ending in ["ss", "us", "is"] where small.hasSuffix(ending) { return word }
        if small.hasSuffix("ies"), small.count > 4 { return without(3, "y") }
        for ending in ["sses", "shes", "ches", "xes", "zzes"] where small.hasSuffix(ending) { return without(2) }
        return small.hasSuffix("s") && small.count > 2 ? without(1) : word
    }

    /// Converts a string to a valid resource name: a letter, followed by letters, digits, `_`, `-` and `.`. Returns nil
    /// if no valid character remains.
    static func resource(_ text: String) -> String? {
        let name = cleaned(text) { "_-.".contains($0) }
        guard let name else { return nil }
        return reserved.contains(name) ? name + "_item" : name
    }

    /// Converts a string to the name of a parameter in the catalog's `scope`. Returns nil if no valid character
    /// remains. Also returns nil if Larder's methods already have a parameter with this name.
    static func scope(_ text: String) -> String? {
        cleaned(text) { $0 == "_" }.flatMap { ParametersDecoder.taken.contains($0) ? nil : $0 }
    }

    /// Returns the name of a catalog variable, such as `ZOO_URL` for the API `zoo` and the suffix `URL`.
    static func variable(_ parts: String...) -> String {
        let name = capitals(parts.joined(separator: "_"))
        return name.first?.isLetter == true ? name : "API_\(name)"
    }

    /// Converts a string to upper-case letters and digits, with `_` between words.
    static func capitals(_ text: String) -> String {
        let characters = text.uppercased().map { character -> Character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return String(characters).split(separator: "_").joined(separator: "_")
    }

    /// Returns the name of an API from the host of its URL: `github` for `https://api.github.com/v3`.
    static func api(url: String) -> String? {
        guard let start = url.firstRange(of: "://") else { return nil }
        let host = url[start.upperBound...].prefix { !"/:?#".contains($0) }.lowercased()
        var labels = host.split(separator: ".").map(String.init)
        guard labels.count > 1, !labels.allSatisfy({ Int($0) != nil }), !host.contains("$") else { return nil }
        let whole = labels.joined(separator: "_")
        labels.removeLast()
        // Below suffixes such as `co.uk` and `com.de`, only the whole host is unique.
        if labels.count > 1, let last = labels.last, ["co", "com", "org", "net", "gov", "ac"].contains(last) {
            return resource(whole)
        }
        return labels.last.flatMap { resource($0) }
    }

    /// Normalizes a name for comparisons: lower case without punctuation. `next_page`, `nextPage` and `next-page`
    /// become equal.
    static func normalized(_ name: String) -> String {
        String(
            decoding: name.lowercased().utf8.filter { $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 },
            as: UTF8.self)
    }

    private static func cleaned(_ text: String, _ mayStand: (Character) -> Bool) -> String? {
        var name = ""
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber || mayStand(character) {
                name.append(character)
            } else if !name.isEmpty, name.last != "_" {
                name.append("_")
            }
        }
        let trimmed = name.drop { !$0.isLetter }
        let end = trimmed.lastIndex { $0.isLetter || $0.isNumber }
        return end.map { String(trimmed[...$0]) }
    }
}
