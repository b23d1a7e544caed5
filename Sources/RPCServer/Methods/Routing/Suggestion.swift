import Catalog
import JSON
import System

/// Suggests a known name for a misspelt name.
package enum Suggestion {
    /// The maximum length of a name that is compared with the known names, in bytes.
    static let maxLength = 100

    /// Returns the known name that is most similar to `word`. Returns nil if no known name is similar, or if `word` is
    /// longer than `maxLength`.
    package static func nearest(to word: String, in known: [String]) -> String? {
        word.utf8.count <= maxLength ? Spelling.nearest(to: word, in: known) : nil
    }
}

extension ParameterType {
    /// Returns a hint such as `; did you mean "open"?` for a value that the type does not accept. The hint contains the
    /// most similar word of the enumeration. The hint is empty if no word is similar, or if the type is neither an
    /// enumeration nor an array of enumeration words.
    func suggestion(for value: JSONValue) -> String {
        switch self {
        case .enumeration(let words):
            return Suggestion.nearest(to: value.plainText, in: words).map { "; did you mean \"\($0)\"?" } ?? ""
        case .array(let element):
            let values: [JSONValue] = if case .array(let values) = value { values } else { [value] }
            return values.first { element.canonical($0) == nil }.map { element.suggestion(for: $0) } ?? ""
        default: return ""
        }
    }
}
