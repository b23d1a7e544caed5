import JSON

/// The text by which an item is found: every string in it, at any depth, but for its URLs.
struct SearchText {
    private var tape = JSONTape()

    /// The strings in their order, each on a line of its own; empty for what is no JSON.
    mutating func text(of json: [UInt8]) -> String {
        var text = ""
        json.withUnsafeBytes { bytes in
            // Where this fails the tape is empty, and so is the value.
            try? tape.parse(bytes)
            tape.withRoot(in: bytes) { Self.collect($0, into: &text) }
        }
        return text
    }

    /// No deeper than the parser goes.
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

/// What is looked for, in FTS5's own language (https://sqlite.org/fts5.html, section 3).
enum SearchTerms {
    /// Finds nothing: a phrase without words.
    private static let nothing = "\"\""

    /// A query that finds the texts in which every word of `text` is the beginning of a word. Nil for a blank text,
    /// which finds everything; one that has marks and no words finds nothing.
    ///
    /// Words are parted by white space, control characters and quotes, and put in quotes, so that none of them is taken
    /// for a part of the language. Whatever else is no letter and no digit FTS5 passes over, as it does in the texts.
    static func match(_ text: String) -> String? {
        let words = text.unicodeScalars.split { scalar in
            scalar == "\"" || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        guard words.isEmpty else { return words.map { "\"\(String($0))\"*" }.joined(separator: " ") }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : nothing
    }
}
