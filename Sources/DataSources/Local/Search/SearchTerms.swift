/// What is looked for, in FTS5's own language (https://sqlite.org/fts5.html, section 3).
enum SearchTerms {
    /// Finds nothing: a phrase without words.
    private static let nothing = "\"\""

    /// A query that finds the texts in which every word of `text` is the beginning of a word. Nil for a blank text, which
    /// finds everything; one that has marks and no words finds nothing.
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
