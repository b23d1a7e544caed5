/// A parameter for a reader of `rpc.discover`.
public struct ParameterDescription: Equatable, Sendable {
    /// The name in `params`.
    public let name: String
    /// What it is for, in a sentence.
    public let purpose: String
    /// What is expected, as it completes "must be …".
    public let expected: String
    /// What is expected, as a schema.
    public var schema: JSONSchema
    /// Whether it must be there.
    public var isRequired: Bool

    init<Value>(_ parameter: Parameter<Value>, isRequired: Bool) {
        name = "\(parameter.name)"
        purpose = parameter.purpose
        expected = parameter.expected
        schema = parameter.schema()
        self.isRequired = isRequired
    }
}
