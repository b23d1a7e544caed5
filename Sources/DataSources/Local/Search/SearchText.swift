import JSON

/// Extracts the text by which an item is found: all strings in it, at any depth, except URLs.
struct SearchText {
    private var tape = JSONTape()

    /// Returns the strings in order, one per line; empty for invalid JSON.
    mutating func text(of json: [UInt8]) -> String {
        var text = ""
        json.withUnsafeBytes { bytes in
            // If parsing fails, the tape is empty, and so is the value.
            try? tape.parse(bytes)
            tape.withRoot(in: bytes) { Self.collect($0, into: &text) }
        }
        return text
    }

    /// Collects the strings of a value. The parser limits the depth of the recursion.
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

/// Translates search texts to FTS5's query language (https://sqlite.org/fts5.html, section 3).
enum SearchTerms {
    /// A query that matches nothing: a phrase without words.
    private static let nothing = "\"\""

    /// Returns a query for texts in which every word of `text` is the beginning of a word. Returns nil for a blank
    /// text, which matches everything. A text with symbols but no words matches nothing.
    ///
    /// Words are separated by white space, control characters and quotes. They are quoted, so that no word is taken for
    /// a part of the query language. FTS5 ignores all other characters that are neither letters nor digits, as it does
    /// in the indexed texts.
    static func match(_ text: String) -> String? {
        let words = text.unicodeScalars.split { scalar in
            scalar == "\"" || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        guard words.isEmpty else { return words.map { "\"\(String($0))\"*" }.joined(separator: " ") }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : nothing
    }
}
