/// The params of `recents/list` and `recents/clear`: `{"scope"?}`.
public struct RecentsScopeParams: MethodParams, Equatable, Sendable {
    /// The scope where none is given.
    static let standard = "default"
    /// What is read.
    public static let declared = ParameterList(Parameters.scope.optional)

    /// Which list of searches.
    public let scope: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        let scope = try Self.declared.read(reader)
        self.scope = scope ?? Self.standard
    }
}

/// The params of `recents/add` and `recents/remove`: `{"text", "scope"?}`.
public struct RecentsTextParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(Parameters.text.required, Parameters.scope.optional)

    /// The search.
    public let text: String
    /// Which list of searches.
    public let scope: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        let (text, scope) = try Self.declared.read(reader)
        self.text = text
        self.scope = scope ?? RecentsScopeParams.standard
    }
}
