import JSON

/// A completion, or the kind of completion that the shell finds itself.
enum CompletionCandidate: Equatable {
    /// A word, and what it means. One that ends in `=` is not whole: more is to follow.
    case word(String, note: String)
    /// Whatever files there are.
    case files
    case folders

    /// The line that a script reads: the word, a tab, its description. If the word is empty, `files` or `folders`
    /// follows the tab. nil for a word with a control character: a shell prints the words on its terminal, and an
    /// escaped word would be another word.
    var line: String? {
        switch self {
        case .word(let word, let note):
            word.isEmpty || !word.unicodeScalars.allSatisfy(VisibleText.isHarmless)
                ? nil : "\(word)\t\(VisibleText.line(note))"
        case .files: "\tfiles"
        case .folders: "\tfolders"
        }
    }
}
