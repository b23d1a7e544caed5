/// The params of `initialize`: `{"processId"?, "trace"?, ...}`; members that an editor sends besides are passed over, as
/// in LSP.
public struct InitializeParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(Parameters.processId.optional, Parameters.trace.optional, isOpen: true)

    /// The process whose end ends this one.
    public let processId: Int?
    /// How much the client wants to hear of what the server does.
    public let trace: TraceValue?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        (processId, trace) = try Self.declared.read(reader)
    }
}

/// The params of a method that takes none.
public struct NoParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList()

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try Self.declared.read(reader)
    }
}

/// The params of `$/cancelRequest`: `{"id"}`; other members are passed over, as in LSP.
public struct CancelParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(Parameters.requestId.required, isOpen: true)

    /// The request to cancel.
    public let id: RequestID

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        id = try Self.declared.read(reader)
    }
}

/// The params of a method that passes all of them over.
public struct IgnoredParams: MethodParams, Equatable, Sendable {
    /// Nothing is read.
    public static let declared = ParameterList(isOpen: true)

    /// Reads nothing.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try Self.declared.read(reader)
    }
}
