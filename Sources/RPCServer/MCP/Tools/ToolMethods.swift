import DataSources
import JSON
import Protocol

/// The tools in the order of `tools/list`.
struct ToolTable: Sendable {
    let tools: [any ToolContract]
    /// The names of each tool's arguments, by the tool's name. They are stored because `arguments` makes all schemas
    /// again.
    private let argumentNames: [String: [String]]

    init(_ table: ResourceTable, _ answer: ToolOutput) {
        let guide = ResourceGuide(resources: table.resources)
        var tools: [any ToolContract] = []
        if table.resources.contains(where: \.canGet) {
            tools.append(GetItemTool(table: table, guide: guide, answer: answer))
        }
        let hasLists = table.resources.contains { $0.list != nil }
        if hasLists { tools.append(ListItemsTool(table: table, guide: guide, answer: answer)) }
        tools.append(SearchCachedTool(table: table, guide: guide, answer: answer))
        if hasLists { tools.append(PrefetchListTool(table: table, guide: guide)) }
        tools.append(DescribeResourceTool(table: table))
        self.tools = table.resources.isEmpty ? [] : tools
        argumentNames = Dictionary(
            self.tools.map { ($0.name, $0.arguments.map(\.name)) }, uniquingKeysWith: { first, _ in first })
    }

    func argumentNames(of tool: any ToolContract) -> [String] { argumentNames[tool.name] ?? [] }
}

/// `tools/list`: returns all tools.
struct ToolListMethod: MCPMethodContract {
    let table: ToolTable

    func begin(
        _ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        // All tools fit on one page, so no cursor is valid.
        _ = try MCPCursor.start(params, of: table.tools.count)
        result.beginObject()
        result.key("tools")
        result.beginArray()
        for tool in table.tools { tool.write(to: &result) }
        result.endArray()
        exchange.close(&result, .catalog)
        return .answered
    }
}

/// `tools/call`: calls a tool. A failed call is a result with a message for the model. Only a call of an unknown tool
/// has an error reply.
struct ToolCallMethod: MCPMethodContract {
    let table: ToolTable

    var readsCache: Bool { true }

    func begin(
        _ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        guard let name = params?["name" as StaticString]?.string else {
            throw RPCError(.invalidParams, "'name' must be a string: the tool's name")
        }
        guard let tool = table.tools.first(where: { $0.name == name }) else {
            let names = table.tools.map(\.name)
            let hint = Suggestion.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
            throw RPCError(.invalidParams, "there is no tool '\(name.prefix(100))'\(hint)")
        }
        let arguments = params?["arguments" as StaticString].flatMap { $0.isNull ? nil : $0 }
        if let arguments, arguments.kind != .object {
            throw RPCError(.invalidParams, "'arguments' must be an object")
        }
        do throws(RPCError) {
            try check(arguments, of: tool)
            let token = params?[MCPKey.meta]?["progressToken" as StaticString]
            switch try tool.begin(ToolArguments(arguments, wantsProgress: token?.isNull == false)) {
            case .answered(let json):
                ToolResult(json, exchange).write(to: &result)
                return .answered
            case .work(let work):
                return .work(
                    Work(speaking: { (scope) async throws(RPCError) in
                        do throws(RPCError) {
                            return ToolResult(try await work(scope), exchange)
                        } catch {
                            return try ToolResult(error, exchange)
                        }
                    }))
            }
        } catch {
            try ToolResult(error, exchange).write(to: &result)
            return .answered
        }
    }

    /// Refuses unknown arguments, so that a misspelt one is not ignored.
    private func check(_ arguments: JSONView?, of tool: any ToolContract) throws(RPCError) {
        guard let members = arguments?.members else { return }
        let known = table.argumentNames(of: tool)
        for member in members {
            let name = member.key.string ?? ""
            guard !known.contains(name) else { continue }
            let hint = Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
            throw RPCError(
                .invalidParams,
                "unknown argument '\(name.prefix(100))': \(hint)\(tool.name) takes "
                    + known.map { "'\($0)'" }.joined(separator: ", "))
        }
    }
}

/// The result of a tool call (`CallToolResult`).
struct ToolResult: RPCResult {
    private enum Outcome {
        /// A JSON object, sent as text and as structured content.
        case object([UInt8])
        case failure(String)
    }

    private let outcome: Outcome
    private let exchange: MCPExchange

    init(_ json: [UInt8], _ exchange: MCPExchange) {
        outcome = .object(json)
        self.exchange = exchange
    }

    /// Creates a failed result: the error message, the API's own message and the time to wait.
    ///
    /// - Throws: the error itself if the request was cancelled.
    init(_ error: RPCError, _ exchange: MCPExchange) throws(RPCError) {
        if error.code == .requestCancelled { throw error }
        var text = error.message
        if case .string(let words)? = error.data["apiMessage"], !text.contains(words) {
            text += " (the API says: \(words))"
        }
        if let seconds = error.data["retryAfter"] { text += "; try again in \(seconds.text) s" }
        outcome = .failure(text)
        self.exchange = exchange
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
        case .object(let json): writer.string(utf8: json)
        case .failure(let text): writer.string(text)
        }
        writer.endObject()
        writer.endArray()
        if case .object(let json) = outcome {
            writer.key("structuredContent")
            writer.splice(json)
        }
        writer.key("isError")
        if case .failure = outcome { writer.bool(true) } else { writer.bool(false) }
        exchange.close(&writer)
    }
}
