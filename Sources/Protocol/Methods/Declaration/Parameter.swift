import JSON

/// A named parameter: its name, its purpose, the values that it accepts, and how it is read.
public struct Parameter<Value: Sendable>: Sendable {
    /// The name in `params`.
    public let name: StaticString
    /// The description of the expected values, which follows "must be" in messages.
    public let expected: String
    /// The purpose in one sentence.
    let purpose: String
    /// The schema of the expected values. It is created on demand.
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

    /// Returns the value in the params; nil if it is absent or `null`.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(in params: JSONView?) throws(RPCError) -> Value? {
        guard let view = params?[name] else { return nil }
        return try value(of: view)
    }

    /// Returns the value of a view; nil if that is `null`.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(of view: JSONView) throws(RPCError) -> Value? {
        if view.isNull { return nil }
        guard let value = read(view) else { throw refusal }
        return value
    }

    /// The error for an unexpected value.
    var refusal: RPCError { RPCError(.invalidParams, "'\(name)' must be \(expected)") }

    /// This parameter, for a method that requires it.
    var required: RequiredParameter<Value> { RequiredParameter(parameter: self) }
    /// This parameter, for a method that does not require it.
    var optional: OptionalParameter<Value> { OptionalParameter(parameter: self) }
}

/// A parameter in the list of a method: required or optional.
public protocol DeclaredParameter: Sendable {
    /// The type of the parameter's value.
    associatedtype Value
    /// The name in `params`.
    var name: StaticString { get }
    var description: ParameterDescription { get }
    /// Returns the value in a request's params.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    func value(in params: JSONView?) throws(RPCError) -> Value
}

/// A parameter that must be given.
public struct RequiredParameter<Value: Sendable>: DeclaredParameter {
    let parameter: Parameter<Value>

    /// The name in `params`.
    public var name: StaticString { parameter.name }
    public var description: ParameterDescription { ParameterDescription(parameter, isRequired: true) }

    public func value(in params: JSONView?) throws(RPCError) -> Value {
        guard let value = try parameter.value(in: params) else {
            throw RPCError(.invalidParams, "'\(parameter.name)' is missing: it must be \(parameter.expected)")
        }
        return value
    }
}

/// A parameter that may be absent. The value `null` counts as absent.
public struct OptionalParameter<Wrapped: Sendable>: DeclaredParameter {
    let parameter: Parameter<Wrapped>

    /// The name in `params`.
    public var name: StaticString { parameter.name }
    public var description: ParameterDescription { ParameterDescription(parameter, isRequired: false) }

    /// Returns the value in a request's params; nil if it is absent.
    public func value(in params: JSONView?) throws(RPCError) -> Wrapped? { try parameter.value(in: params) }
}

/// The description of a parameter for `rpc.discover`.
public struct ParameterDescription: Equatable, Sendable {
    /// The name in `params`.
    public let name: String
    /// The purpose in one sentence.
    public let purpose: String
    /// The description of the expected values, which follows "must be" in messages.
    public let expected: String
    /// The schema of the expected values.
    public var schema: JSONSchema
    /// Whether the parameter must be given.
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
