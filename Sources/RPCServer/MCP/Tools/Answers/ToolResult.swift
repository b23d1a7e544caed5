import JSON
import Protocol

/// The facts that determine the error message of a failed tool call.
struct FailedCall: Sendable {
    /// Whether the process runs offline: it makes no network requests.
    let isOffline: Bool
    /// Whether the error message may suggest `list_items` as a way to find the item.
    let canListItems: Bool
    /// The names of the MCP tools that the error message can suggest, with their prefix.
    let names: ToolNames
}

/// The result of a tool call (`CallToolResult`).
struct ToolResult: RPCResult {
    private enum Outcome {
        /// The tool's answer, a JSON object. The result contains the object as text. If the protocol version permits,
        /// it also contains the object as structured content.
        case answer(ToolAnswer)
        case failure(String)
    }

    private let outcome: Outcome
    private let exchange: MCPExchange

    init(_ answer: ToolAnswer, _ exchange: MCPExchange) {
        outcome = .answer(answer)
        self.exchange = exchange
    }

    /// Creates the result of a failed call, with the error message and advice. The advice is, for example, the time to
    /// wait before the next call.
    ///
    /// - Throws: the error itself if the request was cancelled.
    init(_ error: RPCError, _ exchange: MCPExchange, _ call: FailedCall) throws(RPCError) {
        if error.code == .requestCancelled { throw error }
        var text = error.code == .notCached ? call.names.text(Self.notCached(call.isOffline)) : error.message
        if case .string(let words)? = error.data["apiMessage"], !text.contains(words) {
            text += " (the API reported: \(words))"
        }
        if let seconds = error.data["retryAfter"] { text += "; try again in \(seconds.text) s" }
        if error.code == .notFound {
            text += "; check the arguments"
            if call.canListItems { text += call.names.text(", or look for the item with list_items") }
        }
        outcome = .failure(text)
        self.exchange = exchange
    }

    private static func notCached(_ isOffline: Bool) -> String {
        isOffline
            ? "not cached, and this server runs with --offline: use search_cached to find what is cached"
            : "not cached, and cachePolicy 'localOnly' forbids a request: leave out cachePolicy to ask the API"
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("content")
        writer.beginArray()
        writer.beginObject()
        writer.key("type")
        writer.string("text")
        writer.key("text")
        switch outcome {
        case .answer(let answer): writer.string(utf8: answer.json)
        case .failure(let text): writer.string(text)
        }
        writer.endObject()
        if case .answer(let answer) = outcome, exchange.version.hasStructuredContent {
            for link in answer.links { link.write(to: &writer) }
            writer.endArray()
            writer.key("structuredContent")
            writer.splice(answer.json)
        } else {
            writer.endArray()
        }
        writer.key("isError")
        if case .failure = outcome { writer.bool(true) } else { writer.bool(false) }
        exchange.close(&writer)
    }
}
