import DataSources
import JSON
import Protocol

/// The tools of the server, in the order of `tools/list`.
struct ToolTable: Sendable {
    /// A tool and its arguments. The arguments are stored here because the tool's own `arguments` property creates them
    /// at each access.
    struct Entry: Sendable {
        let tool: any ToolContract
        /// The name under which clients call the tool.
        let name: String
        let arguments: [(name: String, form: ArgumentForm)]

        @_optimize(size)
        init(_ tool: any ToolContract, _ names: ToolNames) {
            self.tool = tool
            name = names.name(tool.name)
            arguments = tool.arguments.map { ($0.name, $0.form) }
        }
    }

    let entries: [Entry]
    let names: ToolNames
    /// Whether the process runs offline and so makes no network requests.
    let isOffline: Bool
    /// The names of the resources that have a list.
    private let listNames: Set<String>
    /// The names of all scope parameters, for hints about misplaced arguments.
    private let scopeNames: Set<String>
    /// The names of all list filters, for hints about misplaced arguments.
    private let filterNames: Set<String>

    var tools: [any ToolContract] { entries.map(\.tool) }

    /// Creates the tools for the resources of a catalog.
    ///
    /// - Parameter queries: runs SQL statements over the cache; nil to omit the tool `query_cached`.
    init(
        _ table: ResourceTable, _ answer: ToolOutput, _ names: ToolNames = ToolNames(prefix: nil),
        queries: QueryHandler? = nil
    ) {
        self.names = names
        let guide = ResourceGuide(resources: table.resources)
        var tools: [any ToolContract] = []
        if table.resources.contains(where: \.canGet) {
            tools.append(GetItemTool(table: table, guide: guide, output: answer))
        }
        listNames = Set(table.resources.filter { $0.list != nil }.map(\.name))
        let hasLists = !listNames.isEmpty
        if hasLists { tools.append(ListItemsTool(table: table, guide: guide, answer: answer)) }
        tools.append(SearchCachedTool(table: table, guide: guide, answer: answer, names: names))
        if let queries { tools.append(QueryCachedTool(table: table, guide: guide, handler: queries)) }
        if table.resources.contains(where: { $0.list != nil && !$0.hasSyncTool }) {
            tools.append(PrefetchListTool(table: table, guide: guide))
        }
        if table.resources.contains(where: \.hasSyncTool) { tools.append(SyncListTool(table: table, guide: guide)) }
        tools.append(DescribeResourceTool(table: table, guide: guide, names: names, queries: queries?.queries))
        entries = table.resources.isEmpty ? [] : tools.map { Entry($0, names) }
        isOffline = table.contexts.contains(where: \.isOffline)
        scopeNames = Set(table.resources.flatMap { $0.scope.map(\.name) })
        filterNames = Set(table.resources.flatMap { $0.list?.filters.map(\.name) ?? [] })
    }

    /// Describes a failed call for its error message.
    func failure(of entry: Entry, _ arguments: JSONView?) -> FailedCall {
        let resource = arguments?["resource" as StaticString]?.string
        let canListItems = entry.tool.name == "get_item" && resource.map { listNames.contains($0) } == true
        return FailedCall(isOffline: isOffline, canListItems: canListItems, names: names)
    }

    /// Returns whether all arguments already have the expected form. If false, the caller must convert the arguments
    /// before the call.
    ///
    /// - Throws: `invalidParams` for an unknown argument, because its name may be misspelt.
    func acceptsForms(of arguments: JSONView?, in entry: Entry) throws(RPCError) -> Bool {
        guard let members = arguments?.members else { return true }
        var isExact = true
        for member in members {
            guard let known = entry.arguments.first(where: { member.key.isString($0.name) }) else {
                throw refusal(of: member.key.string ?? "", in: entry)
            }
            if !known.form.accepts(member.value) { isExact = false }
        }
        return isExact
    }

    /// Returns the error for an unknown argument, with a suggestion.
    private func refusal(of name: String, in entry: Entry) -> RPCError {
        let known = entry.arguments.map(\.name)
        let hint =
            if scopeNames.contains(name), known.contains("scope") {
                "put it into 'scope'; "
            } else if filterNames.contains(name), known.contains("filter") {
                "put it into 'filter'; "
            } else {
                Suggestion.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
            }
        return RPCError(
            .invalidParams,
            "unknown argument '\(name.prefix(100))': \(hint)\(entry.name) takes "
                + known.map { "'\($0)'" }.joined(separator: ", "))
    }
}

/// `tools/list`: returns all tools.
struct ToolListMethod: MCPMethodContract {
    let table: ToolTable

    func begin(
        _ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        // All tools fit on one page, so every cursor is invalid.
        _ = try MCPCursor.start(params, of: table.entries.count)
        result.beginObject()
        result.key("tools")
        result.beginArray()
        for entry in table.entries {
            entry.tool.write(to: &result, table.names, hasOutputSchema: exchange.version.hasStructuredContent)
        }
        result.endArray()
        exchange.close(&result, .catalog)
        return .answered
    }
}

/// `tools/call`: calls a tool. If the tool fails, the result contains a message for the model. Only a call of an
/// unknown tool gets an error reply.
struct ToolCallMethod: MCPMethodContract {
    let table: ToolTable

    var readsCache: Bool { true }

    func begin(
        _ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        guard let name = params?["name" as StaticString]?.string else {
            throw RPCError(.invalidParams, "'name' must be a string: the tool's name")
        }
        guard let entry = table.entries.first(where: { $0.name == name }) else {
            let names = table.entries.map(\.name)
            let near = Suggestion.nearest(to: name, in: names)
            let hint = near.map { "; did you mean '\($0)'?" } ?? "; 'tools/list' lists the tools"
            throw RPCError(.invalidParams, "there is no tool '\(name.prefix(100))'\(hint)")
        }
        let arguments = params?["arguments" as StaticString].flatMap { $0.isNull ? nil : $0 }
        if let arguments, arguments.kind != .object {
            throw RPCError(.invalidParams, "'arguments' must be an object")
        }
        do throws(RPCError) {
            let token = params?[MCPKey.meta]?["progressToken" as StaticString]
            let client = ToolClient(wantsProgress: token?.isNull == false, wantsLinks: exchange.wantsLinks)
            switch try begin(entry, arguments, client) {
            case .answered(let answer):
                ToolResult(answer, exchange).write(to: &result)
                return .answered
            case .work(let work):
                let call = table.failure(of: entry, arguments)
                return .work(
                    Work(speaking: { (scope) async throws(RPCError) in
                        do throws(RPCError) {
                            return ToolResult(try await work(scope), exchange)
                        } catch {
                            return try ToolResult(error, exchange, call)
                        }
                    }))
            }
        } catch {
            try ToolResult(error, exchange, table.failure(of: entry, arguments)).write(to: &result)
            return .answered
        }
    }

    /// Converts the arguments to the expected forms if necessary, and starts the tool call.
    private func begin(
        _ entry: ToolTable.Entry, _ arguments: JSONView?, _ client: ToolClient
    ) throws(RPCError) -> ToolStep {
        guard let arguments, try !table.acceptsForms(of: arguments, in: entry) else {
            return try entry.tool.begin(ToolArguments(arguments, client: client))
        }
        let members = arguments.members.compactMap { member in
            entry.arguments.first { member.key.isString($0.name) }.map { known in
                (known.name, known.form.converted(JSONValue(member.value)))
            }
        }
        return try ToolArguments.with(JSONObject(members), client: client) {
            (arguments) throws(RPCError) in try entry.tool.begin(arguments)
        }
    }
}
