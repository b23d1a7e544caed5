import DataSources
import System

/// Finds what a client meant who misspelt it.
enum Suggestion {
    /// The nearest known name; a word of unreasonable length has none.
    static func nearest(to word: String, in known: [String]) -> String? {
        word.utf8.count <= 100 ? Spelling.nearest(to: word, in: known) : nil
    }
}
