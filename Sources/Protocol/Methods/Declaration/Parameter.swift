import JSON

/// One named parameter: what it is called, what it is for, what it takes, and how it is read.
public struct Parameter<Value: Sendable>: Sendable {
    /// The name in `params`.
    public let name: StaticString
    /// What is expected, as it completes "must be …".
    public let expected: String
    /// What it is for, in a sentence.
    let purpose: String
    /// What is expected, as a schema; made when it is asked for.
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

    /// The value in params; nil where it is absent or `null`.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    func value(in params: JSONView?) throws(RPCError) -> Value? {
        guard let view = params?[name] else { return nil }
        return try value(of: view)
    }

    /// The value that stands for it; nil where that is `null`.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    func value(of view: JSONView) throws(RPCError) -> Value? {
        if view.isNull { return nil }
        guard let value = read(view) else { throw refusal }
        return value
    }

    /// The error for a value that is not as expected.
    var refusal: RPCError { RPCError(.invalidParams, "'\(name)' must be \(expected)") }

    /// The parameter in a method that cannot do without it.
    var required: RequiredParameter<Value> { RequiredParameter(parameter: self) }
    /// The parameter in a method that can do without it.
    var optional: OptionalParameter<Value> { OptionalParameter(parameter: self) }
}

/// A parameter as a method declares it.
public protocol DeclaredParameter: Sendable {
    /// What reading it gives.
    associatedtype Value
    /// The name in `params`.
    var name: StaticString { get }
    var description: ParameterDescription { get }
    /// The value in a request's params.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    func value(in params: JSONView?) throws(RPCError) -> Value
}

/// A parameter that must be there.
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

/// A parameter that may be absent; `null` is absent.
public struct OptionalParameter<Wrapped: Sendable>: DeclaredParameter {
    let parameter: Parameter<Wrapped>

    /// The name in `params`.
    public var name: StaticString { parameter.name }
    public var description: ParameterDescription { ParameterDescription(parameter, isRequired: false) }

    /// The value in a request's params; nil where it is absent.
    public func value(in params: JSONView?) throws(RPCError) -> Wrapped? { try parameter.value(in: params) }
}

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

    /// A parameter that a catalog gives.
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
