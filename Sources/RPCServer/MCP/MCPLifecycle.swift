import DataSources
import JSON
import Protocol

/// `initialize`: the handshake that opens an MCP session. The stateless MCP versions do not use a handshake.
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

/// `server/discover`: returns a description of the server. Only the stateless MCP versions have this method.
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

/// `ping`: returns an empty result, to show that the server responds.
struct MCPPingMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.beginObject()
        exchange.close(&result)
        return .answered
    }
}

/// `notifications/initialized`: the client is ready. From then on, the server notifies the client when the tools or
/// resources change.
struct MCPInitializedMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.null()
        // Without a handshake, this notification has no effect. Clients of the stateless versions use
        // `subscriptions/listen`.
        guard exchange.session.mcp.version != nil else { return .answered }
        // The session adds the listener before it reads the next message. Each later catalog reload thus notifies the
        // client.
        exchange.session.mcp.listenOnce { [client = exchange.client] in
            ListSubscriptions(tools: true, resources: true).notify(client, nil)
        }
        return .answered
    }
}

/// `notifications/cancelled`: cancels a request. The server sends no reply to a cancelled request.
struct MCPCancelledMethod: MCPMethodContract {
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        result.null()
        // An invalid id belongs to no request. The error cannot be reported, because a notification gets no reply.
        guard let id = params?["requestId" as StaticString].flatMap({ RequestID($0) }) else { return .answered }
        let requests = exchange.session.pending.requests(with: id)
        for request in requests where !request.rules.answersCancellation { request.abandon() }
        return .answered
    }
}

/// Reads and writes the cursors of MCP lists. The server returns these lists page by page.
enum MCPCursor {
    static let pageSize = 50

    /// Returns the index of the first element of the requested page.
    ///
    /// - Throws: `invalidParams` for a cursor that the server did not issue.
    static func start(_ params: JSONView?, of count: Int) throws(RPCError) -> Int {
        guard let cursor = params?["cursor" as StaticString], !cursor.isNull else { return 0 }
        guard let text = cursor.string, let start = Int(text), start > 0, start < count, start % pageSize == 0,
            String(start) == text
        else {
            throw RPCError(.invalidParams, "'cursor' must be the 'nextCursor' of an earlier result")
        }
        return start
    }

    /// Writes the cursor of the next page. Writes nothing after the last page.
    static func writeNext(after start: Int, of count: Int, to writer: inout JSONWriter) {
        guard count - start > pageSize else { return }
        writer.key("nextCursor")
        writer.string(String(start + pageSize))
    }
}
