import JSON

/// The params of `recents/list` and `recents/clear`: `{"scope"?}`.
public struct RecentsScopeParams: Equatable, Sendable {
    private static let names: [StaticString] = ["scope"]

    /// Which list of searches.
    public let scope: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        scope = try reader.optional(Parameters.scope) ?? "default"
    }
}

/// The params of `recents/add` and `recents/remove`: `{"text", "scope"?}`.
public struct RecentsTextParams: Equatable, Sendable {
    private static let names: [StaticString] = ["text", "scope"]

    /// The search.
    public let text: String
    /// Which list of searches.
    public let scope: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        text = try reader.required(Parameters.text)
        scope = try reader.optional(Parameters.scope) ?? "default"
    }
}
