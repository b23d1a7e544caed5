import JSON

/// A completion for the shell: a word, or an instruction to complete file names.
enum CompletionCandidate: Equatable {
    /// A word with its description. If the word ends with `=` or `/`, the shell adds no space after the word.
    case word(String, note: String)
    /// The shell completes the names of files and folders.
    case files
    /// The shell completes the names of folders only.
    case folders

    /// The line that the completion script reads: the word, a tab and the description. For file names, the line is a
    /// tab and `files` or `folders`. Nil for an empty word. Also nil for a word with a control character, because the
    /// shell would print this character.
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
