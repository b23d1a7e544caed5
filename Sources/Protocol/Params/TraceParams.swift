/// How much a client wants to hear of what the server does (LSP, `TraceValue`).
public enum TraceValue: String, CaseIterable, Sendable {
    case off, messages, verbose

    static let names = allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
}

/// The params of `$/setTrace`: `{"value"}`.
public struct TraceParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(Parameters.traceValue.required)

    /// How much the client wants to hear from now on.
    public let value: TraceValue

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        value = try Self.declared.read(reader)
    }
}
