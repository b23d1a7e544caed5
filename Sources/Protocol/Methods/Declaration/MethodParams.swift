import JSON

/// The params of a method, decoded from a request. The property `declared` lists the parameters. Larder uses this list
/// to decode requests, and to describe the method in `rpc.discover`.
public protocol MethodParams {
    /// The type of the decoded parameters: a tuple with one element for each parameter.
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

/// The result of a method, which can be written as one JSON value.
public protocol RPCResult: Sendable {
    func write(to writer: inout JSONWriter)
}

/// A result that is a `JSONValue`. Writing a `JSONValue` is slow, so only rarely called methods use this type.
public struct ValueResult: RPCResult, Equatable {
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
