import JSON

/// The params of `request/explain`: `{"method", "params"?}`. What the result shows are the repository's own values: it
/// is written beside the handler.
public struct ExplainParams: MethodParams, Equatable, Sendable {
    private static let method = Parameter(
        "method", "the name of a method", "The method of the request that is to be explained.", schema: .string
    ) { $0.string }
    private static let params = Parameter(
        "params", "an object with named members", "The params of that request.", schema: .object
    ) { view in
        // Not `nil`, which would be a JSON null.
        view.kind == .object ? .some(JSONValue(view)) : .none
    }

    public static let declared = ParameterList(method.required, params.optional)

    /// The method of the request that is to be explained.
    public let method: String
    /// Its params.
    public let params: JSONValue?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (method, params) = try Self.declared.read(reader)
    }
}
