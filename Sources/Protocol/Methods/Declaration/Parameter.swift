import JSON

/// A parameter of a method: its name, its purpose, its accepted values, and the function that decodes it.
public struct Parameter<Value: Sendable>: Sendable {
    /// The name of the parameter in `params`.
    public let name: StaticString
    /// A description of the accepted values. In error messages, the description follows the words "must be".
    public let expected: String
    /// The purpose of the parameter, in one sentence.
    let purpose: String
    /// Creates the JSON Schema of the accepted values.
    let schema: @Sendable () -> JSONSchema
    private let read: @Sendable (JSONView) -> Value?

    init(
        _ name: StaticString, _ expected: String, _ purpose: String,
        schema: @autoclosure @escaping @Sendable () -> JSONSchema, read: @escaping @Sendable (JSONView) -> Value?
    ) {
        self.name = name
        self.expected = expected
        self.purpose = purpose
        self.schema = schema
        self.read = read
    }

    /// Returns the parameter's value in the params; nil if the value is absent or `null`.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(in params: JSONView?) throws(RPCError) -> Value? {
        guard let view = params?[name] else { return nil }
        return try value(of: view)
    }

    /// Converts a JSON value to the parameter's type; nil for `null`.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(of view: JSONView) throws(RPCError) -> Value? {
        if view.isNull { return nil }
        guard let value = read(view) else { throw refusal }
        return value
    }

    /// The error for a value that the parameter does not accept.
    var refusal: RPCError { RPCError(.invalidParams, "'\(name)' must be \(expected)") }

    var required: RequiredParameter<Value> { RequiredParameter(parameter: self) }
    var optional: OptionalParameter<Value> { OptionalParameter(parameter: self) }
}

/// A required or optional parameter in the parameter list of a method.
public protocol DeclaredParameter: Sendable {
    associatedtype Value
    /// The name of the parameter in `params`.
    var name: StaticString { get }
    var description: ParameterDescription { get }
    /// Returns the parameter's value in a request's params.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(in params: JSONView?) throws(RPCError) -> Value
}

/// A parameter that every request must contain.
public struct RequiredParameter<Value: Sendable>: DeclaredParameter {
    let parameter: Parameter<Value>

    /// The name of the parameter in `params`.
    public var name: StaticString { parameter.name }
    public var description: ParameterDescription { ParameterDescription(parameter, isRequired: true) }

    public func value(in params: JSONView?) throws(RPCError) -> Value {
        guard let value = try parameter.value(in: params) else {
            throw RPCError(.invalidParams, "'\(parameter.name)' is missing; pass \(parameter.expected)")
        }
        return value
    }
}

/// A parameter that a request may omit. The value `null` also means that the parameter is absent.
public struct OptionalParameter<Wrapped: Sendable>: DeclaredParameter {
    let parameter: Parameter<Wrapped>

    /// The name of the parameter in `params`.
    public var name: StaticString { parameter.name }
    public var description: ParameterDescription { ParameterDescription(parameter, isRequired: false) }

    /// Returns the parameter's value in a request's params; nil if the value is absent.
    public func value(in params: JSONView?) throws(RPCError) -> Wrapped? { try parameter.value(in: params) }
}

/// The description of a parameter for `rpc.discover`.
public struct ParameterDescription: Equatable, Sendable {
    /// The name of the parameter in `params`.
    public let name: String
    /// The purpose of the parameter, in one sentence.
    public let purpose: String
    /// A description of the accepted values. In error messages, the description follows the words "must be".
    public let expected: String
    /// The JSON Schema of the accepted values.
    public var schema: JSONSchema
    /// Whether every request must contain the parameter.
    public var isRequired: Bool

    /// Creates the description of a parameter that a catalog declares.
    public init(name: String, purpose: String, expected: String, schema: JSONSchema, isRequired: Bool) {
        self.name = name
        self.purpose = purpose
        self.expected = expected
        self.schema = schema
        self.isRequired = isRequired
    }

    init<Value>(_ parameter: Parameter<Value>, isRequired: Bool) {
        name = "\(parameter.name)"
        purpose = parameter.purpose
        expected = parameter.expected
        schema = parameter.schema()
        self.isRequired = isRequired
    }
}
