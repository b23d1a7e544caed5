import JSON

/// The params of `initialize`: `{"processId"?, "trace"?, ...}`; members that an editor sends besides are passed over, as in LSP.
public struct InitializeParams: Equatable, Sendable {
    /// The process whose end ends this one.
    public let processId: Int?
    /// How much the client wants to hear of what the server does.
    public let trace: TraceValue?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        processId = try reader.optional(Parameters.processId)
        trace = try reader.optional(Parameters.trace)
    }
}

/// The params of a method that takes none.
public struct NoParams: Equatable, Sendable {
    private static let names: [StaticString] = []

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
    }
}

/// The params of `$/cancelRequest`: `{"id"}`.
public struct CancelParams: Equatable, Sendable {
    /// The request to cancel.
    public let id: RequestID

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        id = try reader.required(Parameter("id", "the id of a request") { RequestID($0) })
    }
}
