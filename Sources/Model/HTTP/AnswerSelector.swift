import JSON

/// A selector of a value in an answer: a path in the body, or the name of a header field.
public enum AnswerSelector: Equatable, Sendable {
    case body(JSONSelector)
    /// A header field. The associated value is the name of the field.
    case header(String)
}
