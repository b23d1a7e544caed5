/// Why no request can be made of a template and its values.
public struct TemplateError: Error, Equatable, Sendable {
    /// The value at fault and the reason, for the caller.
    public let message: String

    public init(_ message: String) { self.message = message }
}
