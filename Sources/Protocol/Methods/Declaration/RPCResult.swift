import JSON

/// The result of a method, written as one JSON value.
public protocol RPCResult: Sendable {
    func write(to writer: inout JSONWriter)
}

/// `null`.
public struct NullResult: RPCResult, Equatable {
    public init() {}

    public func write(to writer: inout JSONWriter) { writer.null() }
}

/// A result that is built as a value first; for results that are asked for rarely.
public struct ValueResult: RPCResult, Equatable {
    public let value: JSONValue

    public init(_ value: JSONValue) { self.value = value }

    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
