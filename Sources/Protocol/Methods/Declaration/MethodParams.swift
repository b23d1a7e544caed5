import JSON

/// The params of a method. The same parameter list reads and describes them.
public protocol MethodParams {
    /// The values that the parameter list returns.
    associatedtype Values
    /// All parameters, with the required ones first.
    static var declared: ParameterList<Values> { get }
    /// Reads the params of a request.
    ///
    /// - Throws: `invalidParams` with the name of the parameter and the expected value.
    init(_ reader: ParamsReader) throws(RPCError)
}

/// The params of a method without parameters.
public struct NoParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList()

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}

/// The params of a method that ignores all parameters.
public struct IgnoredParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(isOpen: true)

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}

/// The result of a method, written as one JSON value.
public protocol RPCResult: Sendable {
    func write(to writer: inout JSONWriter)
}

/// A result that is first built as a JSON value. Only rarely requested results use it, because it is slower.
public struct ValueResult: RPCResult, Equatable {
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
