import FuzzSupport
import JSON
import Protocol

/// Checks that the params of every method are decoded, or refused with the code for invalid params.
func checkParams(_ view: JSONView?) {
    read(view) { (reader) throws(RPCError) in
        let params = try GetParams(reader)
        require((params.freshness.maxAge ?? 0) >= 0, "a negative age")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try ListParams(reader)
        require(params.page != .first, "a page without a name")
        if case .opaque(let token) = params.page { require(!token.isEmpty, "an empty token") }
        let names = params.filter?.members.map(\.name) ?? []
        require(zip(names, names.dropFirst()).allSatisfy { $0 < $1 }, "names of a filter twice or in disorder")
    }
    read(view) { (reader) throws(RPCError) in _ = try GetManyParams(reader) }
    read(view) { (reader) throws(RPCError) in
        let params = try SearchParams(reader)
        require(params.limit >= 0 && params.offset >= 0, "a search for less than nothing")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try PrefetchParams(reader)
        require((params.maxPages ?? 1) >= 1, "a prefetch of no pages")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try SyncParams(reader)
        require((params.maxRequests ?? 1) >= 1, "a sync without requests")
        require((params.maxAge ?? 0) >= 0, "a negative age")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try ObserveParams(reader)
        require(params.id == nil || (params.page == nil && params.filter == nil), "an item and a page at once")
    }
    read(view) { (reader) throws(RPCError) in _ = try UnobserveParams(reader) }
    read(view) { (reader) throws(RPCError) in
        let params = try CacheSelectionParams(reader)
        require(params.ids == nil || params.resource != nil, "ids of no resource")
        require((params.olderThan ?? 0) >= 0, "a negative age")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try QueryParams(reader)
        require((1...100_000).contains(params.maxRows), "a query for too few or too many rows")
        require((0...60_000).contains(params.timeout), "a query without a time limit")
        require(params.maxAge == nil || params.coverage == .synced, "an age of no copy")
    }
    read(view) { (reader) throws(RPCError) in _ = try RecentsScopeParams(reader) }
    read(view) { (reader) throws(RPCError) in
        require(try RecentsTextParams(reader).text.contains { !$0.isWhitespace }, "a blank search")
    }
    read(view) { (reader) throws(RPCError) in
        let params = try ExplainParams(reader)
        require(view?["method"]?.string == params.method, "another method would be explained")
        require((params.params == nil) == (view?["params"]?.isNull ?? true), "the params to explain were lost, or made")
    }
    read(view) { (reader) throws(RPCError) in _ = try InitializeParams(reader) }
    read(view) { (reader) throws(RPCError) in _ = try TraceParams(reader) }
    read(view) { (reader) throws(RPCError) in
        if let token = try reader.progressToken() {
            requireOneLine(token.json)
            require((try? JSONDocument(token.json)) != nil, "a token is no JSON")
        }
    }
    read(view) { (reader) throws(RPCError) in
        let token = try reader.metaProgressToken()
        let named = view?["_meta"]?["progressToken"]
        require((token == nil) == (named?.isNull ?? true), "a token was lost, or made")
        if let token {
            requireOneLine(token.json)
            require((try? JSONDocument(token.json)) != nil, "a token is no JSON")
        }
    }
    if let version = view?["protocolVersion"]?.string { checkVersion(version) }
    read(view) { (reader) throws(RPCError) in _ = try NoParams(reader) }
    read(view) { (reader) throws(RPCError) in _ = try IgnoredParams(reader) }
    read(view) { (reader) throws(RPCError) in
        let id = try CancelParams(reader).id
        require(view?["id"].flatMap { RequestID($0) } == id, "another request would be cancelled")
    }
}

/// Checks that a handshake selects a version with handshakes: the client's own, if it is one.
private func checkVersion(_ wanted: String) {
    let answer = MCPVersion.answer(to: wanted)
    require(!answer.isStateless, "a handshake selected a version without handshakes")
    let isKnown = MCPVersion.allCases.contains { !$0.isStateless && $0.rawValue == wanted }
    require((answer.rawValue == wanted) == isKnown, "another version than the client's")
}

private func read(_ view: JSONView?, _ params: (ParamsReader) throws(RPCError) -> Void) {
    do throws(RPCError) {
        try params(try ParamsReader(view))
    } catch {
        require(error.code == .invalidParams, "bad params have the code \(error.code)")
        checkError(error, id: .null)
    }
}
