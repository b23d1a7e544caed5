import Protocol

/// The params of one method, for tests that apply to all methods.
struct ParamsCase: Sendable {
    let name: String
    /// The JSON of params with only the required parameters.
    let minimal: String
    let names: [String]
    let refusal: @Sendable (String?) throws -> RPCError?

    let declared: [ParameterDescription]

    init<Params: MethodParams & SendableMetatype>(_ name: String, _ type: Params.Type, minimal: String, names: [String])
    {
        self.name = name
        self.minimal = minimal
        self.names = names
        declared = Params.declared.descriptions
        refusal = { text in
            try ProtocolTests.refusal(of: text) { reader throws(RPCError) in try Params(reader) }
        }
    }

    static let all = [
        ParamsCase("get", GetParams.self, minimal: #"{"id":1}"#, names: ["id", "fields", "cachePolicy", "maxAge"]),
        ParamsCase(
            "list", ListParams.self, minimal: "{}", names: ["page", "filter", "fields", "cachePolicy", "maxAge"]),
        ParamsCase(
            "getMany", GetManyParams.self, minimal: #"{"ids":[]}"#,
            names: ["ids", "fields", "cachePolicy", "maxAge", "workDoneToken"]),
        ParamsCase(
            "sync", SyncParams.self, minimal: "{}",
            names: [
                "filter", "maxAge", "whole", "maxRequests", "changes", "acceptRemovals", "workDoneToken",
            ]),
        ParamsCase("prefetch", PrefetchParams.self, minimal: "{}", names: ["filter", "maxPages", "workDoneToken"]),
        ParamsCase(
            "sync", SyncParams.self, minimal: "{}",
            names: ["filter", "maxAge", "whole", "maxRequests", "changes", "acceptRemovals", "workDoneToken"]),
        ParamsCase("search", SearchParams.self, minimal: "{}", names: ["text", "filter", "fields", "limit", "offset"]),
        ParamsCase("observe", ObserveParams.self, minimal: "{}", names: ["id", "page", "filter", "observer"]),
        ParamsCase("unobserve", UnobserveParams.self, minimal: #"{"observer":"x"}"#, names: ["observer"]),
        ParamsCase("set trace", TraceParams.self, minimal: #"{"value":"off"}"#, names: ["value"]),
        ParamsCase("recents scope", RecentsScopeParams.self, minimal: "{}", names: ["scope"]),
        ParamsCase("recents text", RecentsTextParams.self, minimal: #"{"text":"x"}"#, names: ["text", "scope"]),
        ParamsCase(
            "cache selection", CacheSelectionParams.self, minimal: "{}",
            names: ["resource", "scope", "id", "ids", "pages", "olderThan"]),
        ParamsCase(
            "query", QueryParams.self, minimal: #"{"sql":"select 1"}"#,
            names: ["sql", "params", "maxRows", "timeout", "coverage", "maxAge"]),
        ParamsCase("none", NoParams.self, minimal: "{}", names: []),
    ]
}
