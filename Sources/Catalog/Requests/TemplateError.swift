/// The error for a value that cannot be sent in a request.
public struct TemplateError: Error, Equatable, Sendable {
    /// The error message. It contains the invalid value and the reason.
    public let message: String

    public init(_ message: String) { self.message = message }
}
