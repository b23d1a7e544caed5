import JSON

/// Extracts the searchable text of an item: all strings in the item's JSON at any depth, except URLs.
struct SearchText {
    private var tape = JSONTape()

    /// Returns the strings of an item in the order of its JSON, one per line. Returns an empty string for invalid JSON.
    mutating func text(of json: [UInt8]) -> String {
        var text = ""
        json.withUnsafeBytes { bytes in
            // If parsing fails, the tape is empty, and no strings are collected.
            try? tape.parse(bytes)
            tape.withRoot(in: bytes) { Self.collect($0, into: &text) }
        }
        return text
    }

    /// Appends the strings of a JSON value, including nested strings. Skips URLs.
    // The recursion is not too deep, because the parser limits the nesting of JSON.
    private static func collect(_ view: JSONView, into text: inout String) {
        switch view.kind {
        case .string:
            guard let string = view.string, !isURL(string) else { return }
            if !text.isEmpty { text += "\n" }
            text += string
        case .array: for element in view.elements { collect(element, into: &text) }
        case .object: for member in view.members { collect(member.value, into: &text) }
        case .null, .true, .false, .number: break
        }
    }

    private static func isURL(_ string: String) -> Bool {
        string.utf8.starts(with: "https://".utf8) || string.utf8.starts(with: "http://".utf8)
    }
}

/// Translates search text to FTS5 queries (https://sqlite.org/fts5.html, section 3).
enum SearchTerms {
    /// An FTS5 query that matches no item: a phrase without words.
    private static let nothing = "\"\""

    /// Returns an FTS5 query that finds items by the beginning of each word: `gr wa` finds `Great Wall`. Returns nil
    /// for blank text, which matches every item. If the text contains only symbols, the query matches no item.
    // White space, control characters and quotes separate words. Each word is quoted, so that FTS5 does not take it for
    // an operator such as `OR`. FTS5 ignores other symbols in queries and in indexed text.
    static func match(_ text: String) -> String? {
        let words = text.unicodeScalars.split { scalar in
            scalar == "\"" || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        guard words.isEmpty else { return words.map { "\"\(String($0))\"*" }.joined(separator: " ") }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : nothing
    }
}
