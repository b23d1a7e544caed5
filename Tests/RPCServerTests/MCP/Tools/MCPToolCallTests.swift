import DataSources
import JSON
import Model
import Protocol
import Repositories
import TestSupport
import Testing

@testable import RPCServer

/// Tests `tools/list` and `tools/call`: which failures are error replies, and which failures are results for the model.
@Suite(.limited) struct MCPToolCallTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private func schemas() async throws -> [(name: String, schema: JSONValue?)] {
        guard case .array(let tools)? = try await stage.reply("tools/list")["result"]?["tools"] else { return [] }
        return tools.map { tool in (tool["name"].map(\.plainText) ?? "", tool["inputSchema"]) }
    }

    @Test func toolsDependOnTheDeclaredOperations() async throws {
        #expect(
            try await schemas().map(\.name) == [
                "get_item", "list_items", "search_cached", "prefetch_list", "describe_resource",
            ])
        let none = ToolTable(ResourceTable([]), ToolOutput(clock: ClockMock()))
        #expect(none.tools.isEmpty)
        let notes = ToolTable(ResourceTable([MCPStage.context(of: stage.notes)]), ToolOutput(clock: ClockMock()))
        #expect(!notes.tools.map(\.name).contains("get_item"))
    }

    /// Tool schemas contain no choices and no boolean `additionalProperties` at the top, because hosts reject them.
    @Test func toolSchemasAreObjectsWithoutAlternatives() async throws {
        for (name, schema) in try await schemas() {
            #expect(schema?["type"] == "object" && schema?["additionalProperties"] == nil, "\(name)")
            #expect(schema?["required"] == ["resource"], "\(name)")
            for key in ["oneOf", "anyOf", "allOf"] { #expect(schema?[key] == nil, "\(name)") }
            guard case .object(let properties)? = schema?["properties"] else {
                Issue.record("\(name) has no properties")
                continue
            }
            for property in properties.members {
                if case .object = property.value { continue }
                Issue.record("\(name): \(property.key) is no object")
            }
        }
        let names = try await schemas()[0].schema?["properties"]?["resource"]?["enum"]
        #expect(names == ["book", "leaf"])
    }

    @Test(arguments: [
        ("", "'name' must be a string: the tool's name"),
        (#""name":7,"#, "'name' must be a string: the tool's name"),
        (#""name":"get_itm","#, "there is no tool 'get_itm'; did you mean 'get_item'?"),
        (#""name":"","arguments":{},"#, "there is no tool ''; 'tools/list' lists the tools"),
        (#""name":"get_item","arguments":[],"#, "'arguments' must be an object"),
        (#""name":"get_item","arguments":"{}","#, "'arguments' must be an object"),
    ])
    func callOfAnUnknownToolGetsAnErrorReply(members: String, message: String) async throws {
        let error = try await stage.error("tools/call", members)
        #expect(error?["code"] == -32602 && error?["message"] == .string(message))
    }

    @Test(arguments: [
        ("get_item", #"{"resource":"book","di":1}"#, "unknown argument 'di': did you mean 'id'? get_item takes"),
        ("get_item", "{}", "'resource' must be one of 'book', 'leaf'"),
        ("get_item", #"{"resource":"note","id":1}"#, "'resource' must be one of 'book', 'leaf'"),
        ("list_items", #"{"resource":"bok"}"#, "did you mean 'book'?"),
        ("list_items", #"{"resource":["book"]}"#, "'resource' must be one of 'book', 'leaf', 'note'"),
        ("list_items", #"{"resource":"leaf","scope":{"tree":"oak"}}"#, "'scope.branch' is missing"),
        ("list_items", #"{"resource":"leaf","scope":{"tree":null,"branch":1}}"#, "'scope.tree' is missing"),
        ("get_item", #"{"resource":"leaf","id":1}"#, "'scope.tree' is missing: 'leaf' needs 'tree', 'branch'"),
        (
            "get_item", #"{"resource":"leaf","id":1,"scope":{"tree":"","branch":1}}"#,
            "'scope.tree' is missing: 'leaf' needs 'tree', 'branch'"
        ),
        (
            "list_items", #"{"resource":"leaf","scope":{"tree":"a","branch":1},"filter":{"tree":"b"}}"#,
            "'filter' has no 'tree': this name belongs to the scope; put it into 'scope'"
        ),
        ("search_cached", #"{"resource":"leaf","scope":{"tre":1}}"#, "'scope' has no 'tre': 'leaf' has the scope"),
        ("search_cached", #"{"resource":"leaf","scope":"oak"}"#, "'scope' must be an object"),
        (
            "get_item", #"{"resource":"leaf","id":1,"scope":["oak"]}"#,
            #"'scope' must be an object, such as {"tree":"...","branch":"..."}"#
        ),
        (
            "get_item", #"{"resource":"leaf","id":1,"tree":"oak"}"#,
            "unknown argument 'tree': put it into 'scope'; get_item takes"
        ), ("list_items", #"{"resource":"note","word":"w"}"#, "unknown argument 'word': put it into 'filter';"),
        ("get_item", #"{"resource":"leaf","id":1,"scope":{"tre":1}}"#, "'scope' has no 'tre': 'leaf' has the scope"),
        ("get_item", #"{"resource":"book","id":1,"scope":{"id":2}}"#, "'scope' has no 'id': 'book' has no scope"),
        ("describe_resource", #"{"resource":"book","fields":["id"]}"#, "unknown argument 'fields'"),
    ])
    func invalidArgumentReturnsAResultWithAnErrorMessage(tool: String, arguments: String, text: String) async throws {
        let result = try await stage.tool(tool, arguments)
        #expect(result?["isError"] == true && result?["structuredContent"] == nil)
        #expect(result?["content"]?[0]?["text"]?.plainText.contains(text) == true, "\(result?.text ?? "")")
        #expect(stage.books.calls.isEmpty && stage.leaves.calls.isEmpty)
    }

    @Test func toolResultTextEqualsItsStructuredContent() async throws {
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        let result = try await stage.tool("get_item", #"{"resource":"book","id":"a"}"#)
        #expect(result?["content"]?[0]?["text"]?.plainText == result?["structuredContent"]?.text)
        #expect(result?["isError"] == false && result?["content"]?[1] == nil)
    }

    /// Versions before 2025-06-18 define neither `structuredContent` nor `outputSchema`.
    @Test(arguments: [("2025-03-26", false), ("2025-06-18", true)])
    func structuredContentDependsOnTheVersion(version: String, isDefined: Bool) async throws {
        stage.initialize(version)
        let list = await stage.session.reply(to: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        #expect(list.contains("outputSchema") == isDefined && list.contains("inputSchema"))
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        let call = #""params":{"name":"get_item","arguments":{"resource":"book","id":"a"}}"#
        let reply = await stage.session.reply(to: #"{"jsonrpc":"2.0","id":2,"method":"tools/call",\#(call)}"#)
        #expect(reply.contains("structuredContent") == isDefined && reply.contains(#"{\"item\":{\"id\":\"a\"}"#))
    }

    @Test func failureTextHasTheAPIMessageAndTheRetryTime() async throws {
        var error = Answers.error(.rateLimited)
        error.apiMessage = "Slow down"
        stage.books.configure { $0.item = .failure(.remote(error)) }
        #expect(
            try await stage.shown("get_item", #"{"resource":"book","id":"a"}"#)
                == "it failed (the API reported: Slow down); try again in 7 s")
        error.apiMessage = "failed"
        error.retryAfter = nil
        stage.books.configure { $0.item = .failure(.remote(error)) }
        // An API message that is already part of the error message is not repeated.
        #expect(try await stage.shown("get_item", #"{"resource":"book","id":"a"}"#) == "it failed")
    }

    /// Three situations that a model must not confuse, each with the next step.
    @Test func eachReasonForAMissingItemHasItsOwnMessage() async throws {
        let get = #"{"resource":"book","id":"a"}"#
        stage.books.configure { $0.item = .failure(.notCached(resource: "book")) }
        #expect(
            try await stage.shown("get_item", get)
                == "not cached, and cachePolicy 'localOnly' forbids a request: leave out cachePolicy to ask the API")
        stage.books.configure { $0.item = .failure(.remote(Answers.error(.notFound))) }
        #expect(
            try await stage.shown("get_item", get).hasSuffix(
                "; check the arguments, or look for the item with list_items"))
        let exchange = MCPExchange(version: .july2026, session: stage.session.session, id: nil, client: SinkMock())
        var writer = JSONWriter()
        let offline = FailedCall(isOffline: true, canListItems: true, names: ToolNames(prefix: nil))
        try ToolResult(RPCError(.notCached, "x"), exchange, offline).write(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains("this server runs with --offline: use search"))
    }

    @Test func messageForAMissingListDoesNotMentionTheListItemsTool() async throws {
        stage.notes.configure { $0.page = .failure(.remote(Answers.error(.notFound))) }
        #expect(
            try await stage.shown("list_items", #"{"resource":"note"}"#).hasSuffix("; check the arguments"))
        stage.notes.configure { $0.prefetch = .failure(.remote(Answers.error(.notFound))) }
        #expect(
            try await stage.shown("prefetch_list", #"{"resource":"note"}"#).hasSuffix("; check the arguments"))
    }

    @Test func messageMentionsTheListItemsToolOnlyIfTheResourceHasAList() throws {
        let table = ToolTable(
            ResourceTable([MCPStage.context(of: stage.books), MCPStage.context(of: try MCPStage.single())]),
            ToolOutput(clock: ClockMock()))
        let getItem = try #require(table.entries.first { $0.name == "get_item" })
        func canListItems(_ arguments: String) throws -> Bool {
            try JSONDocument(Array(arguments.utf8)).withRoot { table.failure(of: getItem, $0).canListItems }
        }
        #expect(try canListItems(#"{"resource":"book"}"#))
        #expect(try !canListItems(#"{"resource":"page"}"#))
        #expect(try !canListItems(#"{"resource":7}"#) && !table.failure(of: getItem, nil).canListItems)
    }

    /// Tool messages name only existing tools, because a model would call any tool that is named.
    @Test func toolMessagesMentionOnlyExistingTools() throws {
        let lists = try [#""of": "ids""#, #""complete": false"#].map { member in
            try MCPStage.page("\"list\": {\"path\": \"/pages\", \(member)}")
        }
        for mock in [stage.notes, try MCPStage.single()] + lists {
            let resources = ResourceTable([MCPStage.context(of: mock)])
            let table = ToolTable(resources, ToolOutput(clock: ClockMock()))
            var writer = JSONWriter()
            for entry in table.entries { entry.tool.write(to: &writer, table.names, hasOutputSchema: true) }
            DescribeResourceTool.write(mock.resource, table.names, to: &writer)
            let texts =
                String(decoding: writer.bytes, as: UTF8.self)
                + ResourceGuide(resources: resources.resources).instructions()
            for name in ["get_item", "list_items", "prefetch_list", "search_cached", "describe_resource"] {
                #expect(texts.contains(name) == table.entries.contains { $0.name == name }, "\(name)")
            }
        }
    }

    @Test func descriptionOfCachePolicyExplainsEachPolicy() throws {
        let description = try #require(ToolSchemas.cachePolicy.schema.json["description"]).plainText
        for policy in CachePolicy.allCases {
            let name = policy == .localFirst ? "localFirst (default)" : policy.rawValue
            #expect(description.contains("\(name): "))
        }
    }

    private static func link(_ reply: String) throws -> JSONValue? {
        try JSONValue(parsing: reply)["result"]?["content"]?[1]
    }

    @Test func itemsAreLinkedAfterAListOfResources() throws {
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        let call = #""params":{"name":"get_item","arguments":{"resource":"book","id":"a"}}"#
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call",\#(call)}"#
        stage.initialize("2025-06-18")
        #expect(try Self.link(stage.session.handle(message)) == nil)
        _ = stage.session.handle(#"{"jsonrpc":"2.0","id":2,"method":"resources/list"}"#)
        #expect(try Self.link(stage.session.handle(message))?["uri"] == "larder://book/a")
    }

    /// In the stateless versions, no answer depends on an earlier request.
    @Test func answerToAStatelessRequestHasNoLinks() async throws {
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        stage.initialize()
        _ = stage.session.handle(#"{"jsonrpc":"2.0","id":2,"method":"resources/list"}"#)
        let result = try await stage.tool("get_item", #"{"resource":"book","id":"a"}"#)
        #expect(result?["structuredContent"] != nil && result?["content"]?[1] == nil)
    }

    @Test func statelessListOfResourcesHasNoEffectOnTheSession() async throws {
        stage.initialize()
        #expect(try await stage.reply("resources/list")["result"] != nil)
        #expect(!stage.session.session.mcp.listsResources)
    }

    /// A prefix of the tool names allows one agent to use several servers.
    @Test func toolPrefixIsPartOfEveryToolName() throws {
        let table = ToolTable(
            ResourceTable([MCPStage.context(of: stage.books)]), ToolOutput(clock: ClockMock()), ToolNames(prefix: "lib")
        )
        #expect(
            table.entries.map(\.name) == [
                "lib_get_item", "lib_list_items", "lib_search_cached", "lib_prefetch_list", "lib_describe_resource",
            ])
        var writer = JSONWriter()
        for entry in table.entries { entry.tool.write(to: &writer, table.names, hasOutputSchema: true) }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.contains("with `lib_prefetch_list`") && !text.contains("lib_lib_"))
    }

    @Test func descriptionNamesTheAPIAndItsResources() {
        let tools = ToolTable(
            ResourceTable([stage.books, stage.leaves].map { MCPStage.context(of: $0) }), ToolOutput(clock: ClockMock())
        ).tools
        #expect(tools.allSatisfy { $0.description.hasSuffix(" For library: book, leaf.") })
    }

    /// A cancelled request has no reply. A cancellation by the server's exit is not a failure of the tool.
    @Test func cancelledToolCallReturnsNoToolResult() throws {
        let exchange = MCPExchange(version: .july2026, session: stage.session.session, id: nil, client: SinkMock())
        #expect(throws: RPCError(.requestCancelled, "gone")) {
            _ = try ToolResult(
                RPCError(.requestCancelled, "gone"), exchange,
                FailedCall(isOffline: false, canListItems: false, names: ToolNames(prefix: nil)))
        }
    }
}
