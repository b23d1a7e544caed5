import DataSources
import JSON
import Mocks
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct DiscoverHandlerTests {
    /// One handler of each kind.
    private static func handlers() throws -> [String: any Handler] {
        let resource = try TestCatalog.resource("character")
        let context = ResourceContext(
            repository: ResourceRepositoryMock(resource), idType: resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: false)
        return [
            "exit": LifecycleHandler(.exit), "shutdown": LifecycleHandler(.shutdown),
            "$/cancelRequest": CancelHandler(),
            "character/get": GetHandler(context: context), "character/getMany": GetManyHandler(context: context),
            "character/list": ListHandler(context: context, list: try #require(resource.list)),
            "cache/remove": CacheSelectionHandler(
                counted: "removed", summary: "Deletes.", resources: [resource, try TestCatalog.resource("book")],
                clock: ClockMock(), action: { _ in 0 }),
        ]
    }

    private static func document() async throws -> JSONValue {
        let handlers = try handlers()
        let discover = DiscoverHandler(
            others: handlers, resources: [try TestCatalog.resource("character"), try TestCatalog.resource("book")])
        let reply = await TestSession(["rpc.discover": discover]).call("rpc.discover", "{}")
        #expect(reply.hasPrefix(#""result":"#))
        return try JSONValue(parsing: String(reply.dropFirst(#""result":"#.count)))
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements) = value { elements } else { [] }
    }

    @Test func discoveryDocumentContainsAllMethodsByName() async throws {
        let document = try await Self.document()
        #expect(document["openrpc"] == "1.3.2")
        #expect(document["info"]?["version"] == .string(Version.current))
        let names = Self.elements(document["methods"]).map { $0["name"] }
        #expect(
            names == [
                "$/cancelRequest", "cache/remove", "character/get", "character/getMany", "character/list", "exit",
                "rpc.discover", "shutdown",
            ])
    }

    @Test func discoveryDocumentContainsTheIDFieldOfEachResource() async throws {
        let resources = try await Self.document()["x-larder-resources"]
        #expect(resources?["character"] == ["idField": "id"])
        #expect(resources?["book"] == ["idField": "id"])
    }

    @Test func notificationHasNeitherResultNorErrors() async throws {
        for method in Self.elements(try await Self.document()["methods"]) {
            let isNotification = ["$/cancelRequest", "exit"].contains(method["name"])
            #expect((method["result"] == nil) == isNotification)
            #expect((method["errors"] == nil) == isNotification)
        }
    }

    /// A catalog schema for a parameter that does not exist would have no effect.
    @Test func catalogSchemasAreOnlyForExistingParameters() throws {
        for (name, handler) in try Self.handlers() {
            let names = handler.parameters.map(\.name)
            for narrowed in handler.description.narrowed {
                #expect(names.contains(narrowed.key), "\(name)")
                #expect(handler.parameters.first { $0.name == narrowed.key }?.schema == narrowed.value)
            }
        }
    }

    @Test func catalogLimitsTheValuesInParameterSchemas() async throws {
        let methods = Self.elements(try await Self.document()["methods"])
        func schema(_ method: JSONValue, _ name: JSONValue) -> String? {
            let params = Self.elements(methods.first { $0["name"] == method }?["params"])
            return params.first { $0["name"] == name }?["schema"]?.text
        }
        let integer = #"{"type":"integer"},{"type":"string","pattern":"^(0|-?[1-9][0-9]*)$"}"#
        #expect(schema("character/get", "id") == #"{"anyOf":[\#(integer)]}"#)
        #expect(schema("character/getMany", "ids") == #"{"type":"array","items":{"anyOf":[\#(integer)]}}"#)
        #expect(schema("cache/remove", "resource") == #"{"enum":["character","book"]}"#)
        #expect(schema("cache/remove", "id") == #"{"anyOf":[\#(integer),{"type":"string","minLength":1}]}"#)
        let filter = try #require(schema("character/list", "filter"))
        for name in ["name", "status", "species", "type", "gender"] {
            #expect(filter.contains(#""\#(name)":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}"#))
        }
        #expect(filter.hasSuffix(#","additionalProperties":false}"#))
    }

    @Test func discoveryDocumentContainsEveryError() async throws {
        let document = try await Self.document()
        for code in RPCError.Code.native {
            let error = document["components"]?["errors"]?["\(code)"]
            #expect(error?["code"] == .integer(code.rawValue))
            #expect(error?["data"]?["kind"] == (code.rawValue > -32000 ? code.kind.map { .string($0) } : nil))
        }
    }

    @Test func discoveryDocumentIsBuiltOnce() async throws {
        let session = TestSession(["rpc.discover": DiscoverHandler(others: [:], resources: [])])
        let request = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        #expect(session.handle(request) == "")
        let first = await session.sink.wait(for: 1)[0]
        #expect(session.handle(request) == first)
    }

    @Test func discoverMethodRefusesParams() async throws {
        let discover = DiscoverHandler(others: [:], resources: [])
        #expect(
            await TestSession(["rpc.discover": discover]).call("rpc.discover", #"{"x":1}"#)
                == #""error":{"code":-32602,"message":"unknown parameter 'x': this method takes none"}"#)
    }
}
