import JSON

/// Where an answer says something about a list: in its body, or in a header field.
public enum AnswerSelector: Equatable, Sendable {
    case body(JSONSelector)
    /// The name of a header field.
    case header(String)
}
