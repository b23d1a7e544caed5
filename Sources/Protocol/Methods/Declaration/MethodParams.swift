import JSON

/// The params of a method. The method's parameter list reads these params and describes them for `rpc.discover`.
public protocol MethodParams {
    /// The tuple of Swift values that the parameter list reads from the params.
    associatedtype Values
    /// All parameters of the method. The required parameters come first.
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

/// The result of a method. It writes itself as one JSON value.
public protocol RPCResult: Sendable {
    func write(to writer: inout JSONWriter)
}

/// A result that is a `JSONValue`. Only rarely called methods use this type, because it is slow to write.
public struct ValueResult: RPCResult, Equatable {
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
