import CLineEditor
import System

/// Reads lines from the terminal with the system's library libedit. The user can edit a line, recall earlier lines with
/// the arrow keys, and complete words with the tab key.
///
/// All editors of a process share the recalled lines. Only one thread may use an editor.
final class LineEditor {
    /// The result of reading a line.
    enum Line: Equatable, Sendable {
        /// The typed line, without its line break.
        case text(String)
        /// The caller of `read` has been woken, so the line is discarded.
        case interrupted
        case end
    }

    /// The place of the cursor in a line, for which suggestions are needed.
    struct Place: Equatable, Sendable {
        /// The line up to the cursor. It ends with `word`.
        let before: String
        /// The line after the cursor.
        let after: String
        /// The word before the cursor, which the suggestions replace. Spaces and most punctuation separate words.
        let word: String

        init(before: String, after: String, word: String) {
            (self.before, self.after, self.word) = (before, after, word)
        }
    }

    private let suggest: (Place) -> [String]

    /// Opens libedit. Returns nil if it cannot be loaded.
    ///
    /// - Parameter suggest: returns the words that can replace the word at a place.
    init?(suggest: @escaping (Place) -> [String]) {
        guard larder_editor_open() != 0 else { return nil }
        self.suggest = suggest
    }

    /// Adds a line to the lines that the arrow keys recall.
    func remember(_ line: String) { larder_editor_remember(line) }

    /// Shows a prompt, and returns the line that the user types.
    ///
    /// - Parameter wake: a descriptor. If it becomes readable, the function reads a byte from it, and returns
    ///   `.interrupted`.
    func read(_ prompt: String, wake: Int32) -> Line {
        var line: UnsafeMutablePointer<CChar>?
        // Safe: the function uses the context only until it returns.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let result = larder_editor_read(prompt, wake, Self.handler, context, &line)
        let text = line.map { String(cString: $0) } ?? ""
        free(line)
        switch result {
        case LARDER_LINE_INTERRUPTED: return .interrupted
        case LARDER_LINE_READ: return .text(text)
        default: return .end
        }
    }

    /// The function that libedit calls for the tab key.
    private static let handler: larder_suggest_function = { context, line, cursor, word, suggestions in
        guard let context, let line, let word else { return }
        // Safe: the context is the editor that is reading a line.
        let editor = Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
        let place = LineEditor.place(String(cString: line), Int(cursor), String(cString: word))
        for text in LineEditor.replacements(editor.suggest(place), of: place.word) {
            larder_suggest(suggestions, text)
        }
    }

    /// - Parameter cursor: the number of Unicode scalars before the cursor.
    private static func place(_ line: String, _ cursor: Int, _ word: String) -> Place {
        let scalars = line.unicodeScalars
        let index = scalars.index(scalars.startIndex, offsetBy: max(0, cursor), limitedBy: scalars.endIndex)
        let end = index ?? scalars.endIndex
        return Place(before: String(scalars[..<end]), after: String(scalars[end...]), word: word)
    }

    /// Returns the text that replaces a word, followed by the suggestions. The text is the longest common beginning of
    /// all suggestions. It is the word itself if the suggestions do not begin with the word, which may differ in case.
    static func replacements(_ suggestions: [String], of word: String) -> [String] {
        guard let first = suggestions.first else { return [] }
        if suggestions.count == 1 { return [first] }
        var common = Substring(first)
        for suggestion in suggestions.dropFirst() {
            common =
                common[
                    ..<zip(common.indices, suggestion).prefix { common[$0.0] == $0.1 }.reduce(common.startIndex) {
                        common.index(after: $1.0)
                    }]
        }
        return [common.count >= word.count ? String(common) : word] + suggestions
    }
}
