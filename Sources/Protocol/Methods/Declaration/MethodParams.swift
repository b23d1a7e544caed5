import JSON

/// The params of a method: read by a list that also describes them.
public protocol MethodParams {
    /// The values that the list reads.
    associatedtype Values
    /// All parameters, required ones first.
    static var declared: ParameterList<Values> { get }
    /// Reads the params.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    init(_ reader: ParamsReader) throws(RPCError)
}

/// The params of a method that takes none.
public struct NoParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList()

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}

/// The params of a method that ignores whatever it is given.
public struct IgnoredParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(isOpen: true)

    public init(_ reader: ParamsReader) throws(RPCError) { try Self.declared.read(reader) }
}

/// The result of a method, written as one JSON value.
public protocol RPCResult: Sendable {
    func write(to writer: inout JSONWriter)
}

/// A result that is built as a value first; for results that are asked for rarely.
public struct ValueResult: RPCResult, Equatable {
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
