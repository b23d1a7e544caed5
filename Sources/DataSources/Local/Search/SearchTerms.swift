/// What is looked for, in FTS5's own language (https://sqlite.org/fts5.html, section 3).
enum SearchTerms {
    /// A query that finds the texts in which every word of `text` is the beginning of a word. Nil where there is no word.
    ///
    /// Words are parted by white space, control characters and quotes, and put in quotes, so that none of them is taken
    /// for a part of the language. Whatever else is no letter and no digit FTS5 passes over, as it does in the texts.
    static func match(_ text: String) -> String? {
        let words = text.unicodeScalars.split { scalar in
            scalar == "\"" || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        return words.isEmpty ? nil : words.map { "\"\(String($0))\"*" }.joined(separator: " ")
    }
}
