import JSON

/// The result of a method: it writes itself as one JSON value.
public protocol RPCResult: Sendable {
    /// Writes the result.
    func write(to writer: inout JSONWriter)
}

/// A result of `null`.
public struct NullResult: RPCResult, Equatable {
    /// The result.
    public init() {}

    /// Writes `null`.
    public func write(to writer: inout JSONWriter) { writer.null() }
}
