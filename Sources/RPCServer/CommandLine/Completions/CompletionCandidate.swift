/// What may stand at the cursor, or where a shell finds that itself.
enum CompletionCandidate: Equatable {
    /// A word, and what it means. One that ends in `=` is not whole: more is to follow.
    case word(String, note: String)
    /// Whatever files there are.
    case files
    case folders

    /// The line by which a script is told: the word, a tab, what it means. Behind no word stands what the shell is to
    /// look for. nil for a word that no line can hold.
    var line: String? {
        switch self {
        case .word(let word, let note):
            word.isEmpty || word.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
                ? nil : "\(word)\t\(String(note.map { $0.isNewline || $0 == "\t" ? " " : $0 }))"
        case .files: "\tfiles"
        case .folders: "\tfolders"
        }
    }
}
