import JSON

/// A selector of a value in an answer: a path in the body, or the name of a header field.
public enum AnswerSelector: Equatable, Sendable {
    case body(JSONSelector)
    /// The header field with the associated name.
    case header(String)
}
