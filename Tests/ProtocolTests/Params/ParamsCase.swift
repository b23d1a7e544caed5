import Protocol

/// The params of one method, so that what holds for all can be tested over all.
struct ParamsCase: Sendable {
    let name: String
    /// Params with nothing but what must be there.
    let least: String
    let names: [String]
    let refusal: @Sendable (String?) throws -> RPCError?

    init<Params>(
        _ name: String, least: String, names: [String],
        _ read: @escaping @Sendable (ParamsReader) throws(RPCError) -> Params
    ) {
        self.name = name
        self.least = least
        self.names = names
        refusal = { text in try ProtocolTests.refusal(of: text, by: read) }
    }

    static let all = [
        ParamsCase("get", least: #"{"id":1}"#, names: ["id", "cachePolicy", "maxAge"]) {
            reader throws(RPCError) in try GetParams(reader)
        },
        ParamsCase("list", least: "{}", names: ["page", "filter", "cachePolicy", "maxAge"]) {
            reader throws(RPCError) in try ListParams(reader)
        },
        ParamsCase("getMany", least: #"{"ids":[]}"#, names: ["ids", "cachePolicy", "maxAge"]) {
            reader throws(RPCError) in try GetManyParams(reader)
        },
        ParamsCase("recents scope", least: "{}", names: ["scope"]) {
            reader throws(RPCError) in try RecentsScopeParams(reader)
        },
        ParamsCase("recents text", least: #"{"text":"x"}"#, names: ["text", "scope"]) {
            reader throws(RPCError) in try RecentsTextParams(reader)
        },
        ParamsCase("cache selection", least: "{}", names: ["resource", "id", "ids", "olderThan"]) {
            reader throws(RPCError) in try CacheSelectionParams(reader)
        },
        ParamsCase("none", least: "{}", names: []) { reader throws(RPCError) in try NoParams(reader) },
    ]
}
