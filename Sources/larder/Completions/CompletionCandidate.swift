import JSON

/// A completion, or a request to the shell to complete file names.
enum CompletionCandidate: Equatable {
    /// A word with its description. After a word that ends in `=`, the shell adds no space.
    case word(String, note: String)
    /// The names of all files.
    case files
    /// The names of folders only.
    case folders

    /// The line for a completion script: the word, a tab, its description. For file names, the word is empty, and
    /// `files` or `folders` follows the tab. nil for a word with a control character: the shell would print it on the
    /// terminal, and an escaped word would be a different word.
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
