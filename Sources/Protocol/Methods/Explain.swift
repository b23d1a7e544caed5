import JSON

/// The params of `request/explain`: `{"method", "params"?}`.
public struct ExplainParams: MethodParams, Equatable, Sendable {
    private static let method = Parameter(
        "method", "the name of a method", "The method of the request to explain.", schema: .string
    ) { $0.string }
    private static let params = Parameter(
        "params", "an object with named members", "The params of the request to explain.", schema: .object
    ) { view in
        // A plain `nil` would mean a JSON null.
        view.kind == .object ? .some(JSONValue(view)) : .none
    }

    public static let declared = ParameterList(method.required, params.optional)

    /// The method of the request to explain.
    public let method: String
    /// The params of the request to explain.
    public let params: JSONValue?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (method, params) = try Self.declared.read(reader)
    }
}
