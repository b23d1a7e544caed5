import Protocol

/// The params of one method, so that what holds for all can be tested over all.
struct ParamsCase: Sendable {
    let name: String
    /// Params with nothing but what must be there.
    let least: String
    let names: [String]
    let refusal: @Sendable (String?) throws -> RPCError?

    let declared: [ParameterDescription]

    init<Params: MethodParams & SendableMetatype>(_ name: String, _ type: Params.Type, least: String, names: [String]) {
        self.name = name
        self.least = least
        self.names = names
        declared = Params.declared.descriptions
        refusal = { text in
            try ProtocolTests.refusal(of: text) { reader throws(RPCError) in try Params(reader) }
        }
    }

    static let all = [
        ParamsCase("get", GetParams.self, least: #"{"id":1}"#, names: ["id", "fields", "cachePolicy", "maxAge"]),
        ParamsCase("list", ListParams.self, least: "{}", names: ["page", "filter", "fields", "cachePolicy", "maxAge"]),
        ParamsCase(
            "getMany", GetManyParams.self, least: #"{"ids":[]}"#,
            names: ["ids", "fields", "cachePolicy", "maxAge", "workDoneToken"]),
        ParamsCase("prefetch", PrefetchParams.self, least: "{}", names: ["filter", "maxPages", "workDoneToken"]),
        ParamsCase("search", SearchParams.self, least: "{}", names: ["text", "filter", "fields", "limit", "offset"]),
        ParamsCase("observe", ObserveParams.self, least: "{}", names: ["id", "page", "filter", "observer"]),
        ParamsCase("unobserve", UnobserveParams.self, least: #"{"observer":"x"}"#, names: ["observer"]),
        ParamsCase("set trace", TraceParams.self, least: #"{"value":"off"}"#, names: ["value"]),
        ParamsCase("recents scope", RecentsScopeParams.self, least: "{}", names: ["scope"]),
        ParamsCase("recents text", RecentsTextParams.self, least: #"{"text":"x"}"#, names: ["text", "scope"]),
        ParamsCase(
            "cache selection", CacheSelectionParams.self, least: "{}",
            names: ["resource", "scope", "id", "ids", "pages", "olderThan"]),
        ParamsCase("none", NoParams.self, least: "{}", names: []),
    ]
}
