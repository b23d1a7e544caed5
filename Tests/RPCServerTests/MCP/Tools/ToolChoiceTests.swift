import Catalog
import DataSources
import JSON
import Mocks
import Model
import Protocol
import Repositories
import System
import TestSupport
import Testing

@testable import RPCServer

/// Tests which tools a resource has, depending on its operations, and what the tools pass to its repository.
@Suite(.limited) struct ToolChoiceTests {
    private static let get = #""get": {"path": "/things/{id}"}"#
    private static let list = #""list": {"path": "/things", "filters": {"kind": "kind"}}"#
    private static let sync = #""sync": {"style": "since", "param": "since", "from": "time"}"#

    private let mocks: [ResourceRepositoryMock]

    /// Creates a resource for each combination of operations.
    init() throws {
        let operations = [
            ("item", [Self.get]), ("plain", [Self.get, Self.list]), ("synced", [Self.list, Self.sync]),
        ]
        let resources = operations.map { name, parts in
            #""\#(name)": {"api": "a", "id": "integer", "fields": {"id": "integer"}, "#
                + #""rest": {\#(parts.joined(separator: ", "))}}"#
        }
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
             "resources": {\(resources.joined(separator: ", "))}}
            """
        mocks = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources.map {
            ResourceRepositoryMock($0)
        }
        for mock in mocks { mock.configure { $0.hits = .success(SearchHits(items: [], count: 0)) } }
    }

    private func mock(_ name: String) throws -> ResourceRepositoryMock {
        try #require(mocks.first { $0.resource.name == name })
    }

    private func contexts(_ names: [String], isOffline: Bool = false) throws -> [ResourceContext] {
        try names.map { name in
            let mock = try mock(name)
            return ResourceContext(
                repository: mock, idType: mock.resource.id, errors: RPCErrorMapper(redactor: .none),
                isOffline: isOffline)
        }
    }

    private func table(_ names: [String], isOffline: Bool = false) throws -> ToolTable {
        ToolTable(ResourceTable(try contexts(names, isOffline: isOffline)), ToolOutput(clock: ClockMock()))
    }

    /// Returns the JSON that a tool returns, or the message of a failed call.
    private func call(_ tool: String, _ arguments: String, isOffline: Bool = false) async throws -> String {
        let contexts = try contexts(mocks.map(\.resource.name), isOffline: isOffline)
        let session = TestSession(
            [:], resources: Dictionary(contexts.map { ($0.name, $0) }) { first, _ in first },
            mcp: MCPRouter(contexts, RPCErrorMapper(redactor: .none), clock: ClockMock()))
        let request = MCPStage.request("tools/call", #""name":"\#(tool)","arguments":\#(arguments),"#)
        let result = try JSONValue(parsing: await session.reply(to: request))["result"]
        return result?["structuredContent"]?.text ?? result?["content"]?[0]?["text"]?.plainText ?? ""
    }

    @Test(
        arguments: [
            (["item"], ["get_item", "search_cached", "describe_resource"]),
            (["plain"], ["get_item", "list_items", "search_cached", "prefetch_list", "describe_resource"]),
            (["synced"], ["list_items", "search_cached", "sync_list", "describe_resource"]),
            (
                ["item", "synced"], ["get_item", "list_items", "search_cached", "sync_list", "describe_resource"]
            ),
            (
                ["plain", "synced"],
                ["get_item", "list_items", "search_cached", "prefetch_list", "sync_list", "describe_resource"]
            ),
        ])
    func toolsOfACatalogDependOnItsOperations(resources: [String], tools: [String]) throws {
        let table = try table(resources)
        #expect(table.entries.map(\.name) == tools)
        let search = try #require(table.tools.first { $0.name == "search_cached" })
        let filling = ["prefetch_list", "sync_list"].filter { tools.contains($0) }.joined(separator: " or ")
        #expect(search.description.contains("cache more with `\(filling.isEmpty ? "get_item" : filling)`"))
        let required = table.tools.map { tool in tool.arguments.filter(\.isRequired).map(\.name) }
        #expect(required.allSatisfy { $0 == ["resource"] })
    }

    @Test func onlySomeToolsChangeDataOrAskAPIs() throws {
        let hints = try table(["plain", "synced"]).tools.map { tool in
            "\(tool.name) \(tool.hints.isReadOnly) \(tool.hints.isOpenWorld)"
        }
        #expect(
            hints == [
                "get_item true true", "list_items true true", "search_cached true false", "prefetch_list true true",
                "sync_list false true", "describe_resource true false",
            ])
    }

    @Test(
        arguments: [
            ("get_item", "synced", "'item', 'plain'"), ("list_items", "item", "'plain', 'synced'"),
            ("prefetch_list", "synced", "'plain'"), ("prefetch_list", "item", "'plain'"),
            ("sync_list", "plain", "'synced'"), ("search_cached", "plane", "'item', 'plain', 'synced'"),
        ])
    func toolAcceptsOnlyResourcesThatItSupports(tool: String, resource: String, names: String) async throws {
        let text = try await call(tool, #"{"resource":"\#(resource)"}"#)
        #expect(text.hasPrefix("'resource' must be one of \(names)"))
        #expect(mocks.allSatisfy { $0.calls.isEmpty })
    }

    @Test(
        arguments: [
            ("item", ["get_item", "search_cached"]),
            ("plain", ["get_item", "list_items", "prefetch_list", "search_cached"]),
            ("synced", ["list_items", "sync_list", "search_cached"]),
        ])
    func descriptionOfAResourceNamesItsTools(resource: String, tools: [String]) async throws {
        let shown = try JSONValue(parsing: await call("describe_resource", #"{"resource":"\#(resource)"}"#))
        #expect(shown["tools"] == .array(tools.map { .string($0) }))
        #expect(shown["table"] == nil && (shown["uriTemplate"] != nil) == tools.contains("get_item"))
    }

    @Test(
        arguments: [
            ("item", "fetch items with get_item"), ("plain", "fetch items with prefetch_list"),
            ("synced", "fetch items with sync_list"),
        ])
    func hintForAnEmptyCacheNamesTheToolThatFillsIt(resource: String, hint: String) async throws {
        let arguments = #"{"resource":"\#(resource)"}"#
        let shown = try JSONValue(parsing: await call("search_cached", arguments))
        #expect(shown["hint"] == .string("nothing is cached for '\(resource)': \(hint)"))
        let offline = try JSONValue(parsing: await call("search_cached", arguments, isOffline: true))
        #expect(offline["hint"]?.plainText.hasSuffix("start this server without --offline to fetch items") == true)
    }

    @Test(
        arguments: [
            ("", nil, 20, nil), (#","maxRequests":3"#, nil, 3, nil), (#","maxAge":"5m""#, 300_000, 20, nil),
            (#","filter":{"kind":"a"}"#, nil, 20, "a"),
        ] as [(String, Milliseconds?, Int, JSONValue?)])
    func argumentsOfTheToolArePassedToTheSync(arguments: String, maxAge: Milliseconds?, limit: Int, kind: JSONValue?)
        async throws
    {
        _ = try await call("sync_list", #"{"resource":"synced"\#(arguments)}"#)
        var request = SyncRequest()
        (request.maxAge, request.maxRequests) = (maxAge, limit)
        request.filters = kind.map { [PageRequest.Filter("kind", $0)] } ?? []
        #expect(try mock("synced").calls == [.sync(request)])
    }

    private static let failure = APIError(.network, "it failed")

    /// Items may be missing in an answer although the API has them.
    @Test(
        arguments: [
            (["2"], false, "", nil, nil), ([], false, "", failure, nil),
            ([], true, #","cachePolicy":"localOnly""#, nil, nil),
            (
                ["2"], true, "", nil,
                "the ids in 'missing' are not cached: start this server without --offline to fetch them"
            ),
            (
                ["2"], false, #","cachePolicy":"localOnly""#, failure,
                "the ids in 'missing' are not cached: leave out cachePolicy to ask the API"
            ),
            (["2"], false, #","cachePolicy":"remoteFirst""#, nil, nil),
            (
                ["2"], false, "", failure, "the API failed, so the ids in 'missing' may exist: try again later"
            ),
        ] as [([String], Bool, String, APIError?, String?)])
    func hintExplainsMissingItems(
        missing: [String], isOffline: Bool, arguments: String, failure: APIError?, hint: String?
    ) async throws {
        try mock("plain").configure {
            $0.items = .success(
                BatchAnswer(items: [Array(#"{"id":1}"#.utf8)], missing: missing, sources: [:], fallback: failure))
        }
        let text = try await call("get_item", #"{"resource":"plain","ids":[1,2]\#(arguments)}"#, isOffline: isOffline)
        let shown = try JSONValue(parsing: text)
        #expect(shown["items"] == [["id": 1]] && shown["omitted"] == nil)
        #expect(shown["hint"] == hint.map { .string($0) })
    }
}
