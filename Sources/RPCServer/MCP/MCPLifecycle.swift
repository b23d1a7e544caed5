import DataSources
import JSON
import Protocol

/// `initialize`: the handshake of the older era.
struct MCPInitializeMethod: MCPMethodContract {
    let instructions: String

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        guard let wanted = params?[MCPKey.version]?.string else {
            throw RPCError(.invalidParams, "'protocolVersion' must be a string, such as \"2025-11-25\"")
        }
        let version = MCPVersion.answer(to: wanted)
        exchange.session.mcp.version = version
        result.beginObject()
        result.key(MCPKey.version)
        result.string(version.rawValue)
        MCPExchange.writeCapabilities(to: &result)
        result.key("serverInfo")
        MCPExchange.writeServer(to: &result)
        result.key("instructions")
        result.string(instructions)
        exchange.close(&result)
        return .answered
    }
}

/// `server/discover`: what the server is and can do, in the stateless era.
struct MCPDiscoverMethod: MCPMethodContract {
    let instructions: String

    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.beginObject()
        result.key("supportedVersions")
        result.beginArray()
        for version in MCPVersion.stateless { result.string(version.rawValue) }
        result.endArray()
        MCPExchange.writeCapabilities(to: &result)
        result.key("instructions")
        result.string(instructions)
        exchange.close(&result, .catalog)
        return .answered
    }
}

/// `ping`.
struct MCPPingMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.beginObject()
        exchange.close(&result)
        return .answered
    }
}

/// `notifications/initialized`: from now on the client hears when the lists of tools and resources change.
struct MCPInitializedMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        // Without a handshake it says nothing: clients of the stateless era hear of what they listen to.
        guard exchange.session.mcp.version != nil else {
            result.null()
            return .answered
        }
        return .work(
            Work(speaking: { (scope) async throws(RPCError) in
                exchange.session.mcp.listenOnce { [client = scope.client] in
                    ListsOfInterest(tools: true, resources: true).tell(client, nil)
                }
                return WrittenResult(json: Array("null".utf8))
            }))
    }
}

/// `notifications/cancelled`: ends the work for a request, which then gets no reply.
struct MCPCancelledMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.null()
        // What cannot be the id of a request is none of one: a notification has no reply that could say so.
        guard let id = params?["requestId" as StaticString].flatMap({ RequestID($0) }) else { return .answered }
        let requests = exchange.session.pending.requests(with: id)
        for request in requests where !request.rules.answersCancellation { request.abandon() }
        return .answered
    }
}

/// The cursors of lists that come in pages.
enum MCPCursor {
    static let pageSize = 50

    /// Where a page begins.
    ///
    /// - Throws: `invalidParams` for a cursor that no page gave.
    static func start(_ params: JSONView?, of count: Int) throws(RPCError) -> Int {
        guard let cursor = params?["cursor" as StaticString], !cursor.isNull else { return 0 }
        guard let text = cursor.string, let start = Int(text), start > 0, start < count, start % pageSize == 0,
            String(start) == text
        else {
            throw RPCError(.invalidParams, "'cursor' must be what came as 'nextCursor'")
        }
        return start
    }

    /// Writes where the next page begins, if there is one.
    static func writeNext(after start: Int, of count: Int, to writer: inout JSONWriter) {
        guard count - start > pageSize else { return }
        writer.key("nextCursor")
        writer.string(String(start + pageSize))
    }
}
