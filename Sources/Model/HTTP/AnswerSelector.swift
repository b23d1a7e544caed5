import JSON

/// The place of a value in an answer: in the body or in a header field.
public enum AnswerSelector: Equatable, Sendable {
    case body(JSONSelector)
    /// The name of the header field.
    case header(String)
}
