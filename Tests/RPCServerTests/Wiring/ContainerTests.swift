import DataSources
import JSON
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ContainerTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func process(_ change: (inout Options) -> Void = { _ in }) throws -> Process {
        var options = Options()
        // The client replays cassettes, so it opens no socket. The folder contains no cassettes.
        options.replay = FilePath(folder.path)
        change(&options)
        let home = folder.path
        return try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil })
    }

    private static let common = [
        "$/cancelRequest", "$/setTrace", "cache/invalidate", "cache/query", "cache/remove", "cache/stats",
        "cache/syncs", "exit", "initialize",
        "initialized", "recents/add", "recents/clear", "recents/list", "recents/remove", "request/explain",
        "rpc.discover",
        "server/status", "shutdown",
    ]

    @Test func builtInCatalogHasExactlyTheListedMethods() throws {
        let resources = ["character", "episode", "location"].flatMap { name in
            ["get", "getMany", "list", "prefetch", "sync", "search", "observe", "unobserve"].map { "\(name)/\($0)" }
        }
        #expect(try process().serving.current.router.methods == (Self.common + resources).sorted())
    }

    @Test func methodsOfAResourceDependOnItsOperations() throws {
        let text = """
            {
              "larder": 1,
              "apis": {"library": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {
                "shelf": {"api": "library", "id": "integer", "rest": {"list": {"path": "/shelves"}}},
                "book": {"api": "library", "id": "string", "rest": {"get": {"path": "/books/{id}"}}}
              }
            }
            """
        try folder.write(Array(text.utf8), to: "catalog.jsonc")
        let path = folder.file("catalog.jsonc")
        let methods = try process { $0.catalog = FilePath(path) }.serving.current.router.methods
        #expect(
            methods
                == (Self.common + [
                    "book/get", "book/getMany", "book/observe", "book/search", "book/unobserve", "shelf/list",
                    "shelf/observe",
                    "shelf/prefetch", "shelf/search", "shelf/sync", "shelf/unobserve",
                ]).sorted())
    }

    @Test func fieldsAreCheckedOnlyIfTheResourceDeclaresNone() throws {
        let text = """
            {
              "larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {
                "open": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}},
                "typed": {"api": "a", "id": "string", "fields": {"id": "string"}, "rest": {"get": {"path": "/{id}"}}}
              }
            }
            """
        try folder.write(Array(text.utf8), to: "catalog.jsonc")
        let path = folder.file("catalog.jsonc")
        let resources = try process { $0.catalog = FilePath(path) }.serving.current.resources
        #expect(resources["open"]?.missingFields != nil)
        #expect(resources["typed"] != nil && resources["typed"]?.missingFields == nil)
    }

    @Test func onlyTheFingerprintKeyFileIsCreatedAtTheStart() throws {
        _ = try process()
        #expect(folder.names == [".cache"])
        #expect(try Files.list(folder.file(".cache/larder")) == ["cache.key"])
    }

    @Test func cacheIsInMemoryOnlyAndReportedAsDegradedIfThereIsNoHomeFolder() async throws {
        var options = Options()
        options.replay = FilePath(folder.path)
        let process = try Container.process(options, environment: Environment { _ in nil })
        #expect(await call(process, "recents/add", ["text": "rick"]) == #"{"recents":["rick"]}"#)
        #expect(await call(process, "recents/list") == #"{"recents":["rick"]}"#)
        let status = try JSONValue(parsing: await call(process, "server/status"))
        guard case .array(let parts)? = status["degraded"] else {
            Issue.record("\(status)")
            return
        }
        #expect(parts.map { $0["part"] } == ["catalog", "persistence", "recents"])
        let stats = try JSONValue(parsing: await call(process, "cache/stats"))
        #expect(stats["persistence"]?["state"] == "off")
        #expect(stats["persistence"]?["path"] == .null)
        await process.close(within: .seconds(30))
    }

    private func call(_ process: Process, _ method: String, _ params: JSONValue = [:]) async -> String {
        await onThread {
            let (result, error) = InProcessClient(process.serving).ask(method, params)
            return result?.text ?? "error " + (error?.text ?? "no reply")
        }
    }

    @Test func methodsOfAllGroupsAreAnswered() async throws {
        let process = try process()
        #expect(await call(process, "recents/add", ["text": "rick"]) == #"{"recents":["rick"]}"#)
        let status = try JSONValue(parsing: await call(process, "server/status"))
        #expect(status["catalog"] == "built-in")
        #expect(status["resources"] == ["character", "location", "episode"])
        #expect(status["degraded"] == [])
        #expect(await call(process, "cache/remove") == #"{"removed":0}"#)
        #expect(await call(process, "cache/invalidate", ["resource": "episode"]) == #"{"invalidated":0}"#)
        let missing = await call(process, "character/get", ["id": 1, "cachePolicy": "localOnly"])
        #expect(missing.hasPrefix(#"error {"code":-31010,"#))
        #expect(await call(process, "character/gte").hasPrefix(#"error {"code":-32601,"#))
        await process.close(within: .seconds(30))
        #expect(folder.names == [".cache", ".local"])
    }

    @Test func disabledPersistenceCreatesNoCacheFile() async throws {
        let process = try process { $0.isPersistent = false }
        let stats = try JSONValue(parsing: await call(process, "cache/stats"))
        #expect(stats["persistence"]?["state"] == "off")
        await process.close(within: .seconds(30))
        #expect(folder.names.isEmpty)
    }

    @Test func everyCachePolicyActsAsLocalOnlyWhenOffline() async throws {
        let process = try process { $0.isOffline = true }
        for policy in ["localFirst", "remoteFirst", "none", "localOnly"] {
            let reply = await call(process, "character/get", ["id": 1, "cachePolicy": .string(policy)])
            #expect(reply.hasPrefix(#"error {"code":-31010,"#), "\(policy)")
        }
        await process.close(within: .seconds(30))
    }

    @Test func invalidCatalogPreventsTheStart() {
        #expect(throws: StartupError.self) { try process { $0.catalog = folder.file("missing.jsonc") } }
    }
}
