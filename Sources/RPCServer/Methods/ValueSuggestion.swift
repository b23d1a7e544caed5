import Catalog
import JSON

extension ParameterType {
    /// Returns a hint such as `; did you mean "open"?` for a value that the type does not accept. The hint is empty if
    /// the type accepts more than certain words, or if no word is similar to the value.
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
