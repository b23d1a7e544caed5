import DataSources
import JSON
import Mocks
import Protocol
import Repositories
import TestSupport

@testable import Catalog
@testable import RPCServer

/// A session with the real methods of both dialects, over mocked repositories.
struct MCPStage {
    /// A resource with string ids, without scope and filters.
    let books: ResourceRepositoryMock
    /// A resource with integer ids and a scope of two parameters.
    let leaves: ResourceRepositoryMock
    /// A resource with only a list, which has filters and pages with string names.
    let notes: ResourceRepositoryMock
    let clock = ClockMock(Answers.moment)
    let session: TestSession

    init() throws {
        let catalog = try CatalogDecoder.decode(Array(Self.catalog.utf8), secrets: .empty)
        let mocks = catalog.resources.map { ResourceRepositoryMock($0) }
        (books, leaves, notes) = (mocks[0], mocks[1], mocks[2])
        var table: [String: any Handler] = [
            "initialize": InitializeHandler(resources: mocks.map(\.resource.name)), "$/cancelRequest": CancelHandler(),
        ]
        let contexts = mocks.map { Self.context(of: $0) }
        for context in contexts { table.merge(Container.methods(of: context)) { first, _ in first } }
        session = TestSession(
            table, resources: Dictionary(contexts.map { ($0.name, $0) }) { first, _ in first },
            mcp: MCPRouter(contexts, RPCErrorMapper(redactor: .none), clock: clock))
    }

    /// Returns the context for the handlers of a resource.
    static func context(of mock: ResourceRepositoryMock) -> ResourceContext {
        ResourceContext(
            repository: mock, idType: mock.resource.id, errors: RPCErrorMapper(redactor: .none), isOffline: false)
    }

    /// Returns a resource with one operation.
    ///
    /// - Parameter operation: the operation as a member of `rest`.
    static func page(_ operation: String) throws -> ResourceRepositoryMock {
        let text = """
            {
              "larder": 1, "apis": {"wiki": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {
                "page": {"api": "wiki", "id": "string", "fields": {"id": "string"}, "rest": {\(operation)}}
              }
            }
            """
        return ResourceRepositoryMock(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0])
    }

    /// Returns a resource without a list.
    static func single() throws -> ResourceRepositoryMock { try page(#""get": {"path": "/{id}"}"#) }

    /// Returns a request of the stateless version.
    ///
    /// - Parameter members: the members of `params` besides `_meta`, each followed by a comma.
    static func request(_ method: String, _ members: String = "", id: String = "1", token: String? = nil) -> String {
        let token = token.map { ",\"progressToken\":\($0)" } ?? ""
        return """
            {"jsonrpc":"2.0","id":\(id),"method":"\(method)","params":{\(members)"_meta":\
            {"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}\(token)}}}
            """
    }

    /// Returns the reply to a request of the stateless version.
    func reply(_ method: String, _ members: String = "") async throws -> JSONValue {
        try JSONValue(parsing: await session.reply(to: Self.request(method, members)))
    }

    /// Returns the error of a request of the stateless version; nil if there is a result.
    func error(_ method: String, _ members: String = "") async throws -> JSONValue? {
        try await reply(method, members)["error"]
    }

    /// Returns the result of a tool call.
    func tool(_ name: String, _ arguments: String) async throws -> JSONValue? {
        try await reply("tools/call", #""name":"\#(name)","arguments":\#(arguments),"#)["result"]
    }

    /// Returns the JSON that a tool returns, or the message of a failed call.
    func shown(_ name: String, _ arguments: String) async throws -> String {
        let result = try await tool(name, arguments)
        if let shown = result?["structuredContent"] { return shown.text }
        guard case .string(let text)? = result?["content"]?[0]?["text"] else { return "no text" }
        return text
    }

    /// Performs the handshake. Returns the reply.
    @discardableResult
    func initialize(_ version: String = "2025-11-25") -> String {
        let reply = session.handle(
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\(version)",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
            """)
        _ = session.handle(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        return reply
    }
}

extension MCPStage {
    fileprivate static let catalog = """
        {
          "larder": 1,
          "apis": {"library": {"baseURL": "http://127.0.0.1:1"}},
          "resources": {
            "book": {
              "api": "library", "id": "string", "fields": {"id": "string", "title": "string"},
              "cache": {"freshFor": "1h", "keepFor": "30d"},
              "rest": {"get": {"path": "/books/{id}"}, "list": {"path": "/books"}}
            },
            "leaf": {
              "api": "library", "id": "integer", "scope": {"tree": "string", "branch": "integer"},
              "fields": {"id": "integer", "colour": "string"},
              "rest": {
                "get": {"path": "/{tree}/{branch}/{id}"}, "list": {"path": "/{tree}/{branch}/leaves"}
              }
            },
            "note": {
              "api": "library", "id": "integer", "fields": {"id": "integer", "text": "string"},
              "rest": {
                "list": {
                  "path": "/notes", "items": "notes", "filters": {"open": {"type": "boolean"}, "word": "q"},
                  "pagination": {"style": "cursor", "param": "after", "next": "next"}
                }
              }
            }
          }
        }
        """
}
