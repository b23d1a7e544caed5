import DataSources
import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct LifecycleHandlersTests {
    private static let capabilities = """
        "result":{"serverInfo":{"name":"larder","version":"\(Version.current)"},\
        "capabilities":{"framing":["newline","contentLength"],\
        "cachePolicies":["localFirst","remoteFirst","none","localOnly"],"resources":["character","book"],\
        "localMethods":["initialize","rpc.discover"]}}
        """

    @Test(arguments: [("{}", []), (#"{"processId":42,"clientInfo":{"name":"x"}}"#, [42]), (#"{"processId":null}"#, [])])
    func initializeReplyDescribesTheServer(params: String, watched: [Int32]) async {
        let seen = Lock<[Int32]>([])
        let handler = InitializeHandler(resources: ["character", "book"])
        let session = TestSession(["initialize": handler]) { process in seen.withLock { $0.append(process) } }
        #expect(await session.call("initialize", params) == Self.capabilities)
        #expect(seen.withLock { $0 } == watched)
    }

    @Test func localMethodsExcludeAPICallsAndNotifications() async throws {
        let resource = try TestCatalog.resource("character")
        let context = ResourceContext(
            repository: ResourceRepositoryMock(resource), idType: resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: false)
        var others: [String: any Handler] = [
            "exit": LifecycleHandler(.exit), "shutdown": LifecycleHandler(.shutdown), "$/setTrace": TraceHandler(),
            "book/unobserve": UnobserveHandler(resource: "book"),
            "book/get": ScopedHandler(context) { GetHandler(context: $0) },
            // No resource has this name.
            "books/search": SearchHandler(context: context),
        ]
        others.merge(Container.methods(of: context)) { first, _ in first }
        let handler = InitializeHandler(resources: ["character", "book"], others: others)
        let reply = await TestSession(["initialize": handler]).call("initialize", "{}")
        let result = try JSONValue(parsing: "{\(reply)}")["result"]
        #expect(
            result?["capabilities"]?["localMethods"] == [
                "*/observe", "*/search", "*/unobserve", "books/search", "initialize", "rpc.discover", "shutdown",
            ])
    }

    @Test func invalidProcessIdIsRefused() async {
        let session = TestSession(["initialize": InitializeHandler(resources: [])])
        #expect(
            await session.call("initialize", #"{"processId":"x"}"#)
                == #""error":{"code":-32602,"message":"'processId' must be an integer"}"#)
    }

    @Test(arguments: [true, false]) func serverStatusContainsTheDegradedParts(hasAll: Bool) async {
        let clock = ClockMock()
        let board = StatusBoard()
        let handler = StatusHandler(
            catalog: "built-in", loadedAt: clock.now(), resources: ["character"],
            unreachable: hasAll ? [] : [("zoo", "no key")], board: board,
            limiters: RequestLimiters(), redactor: .none, clock: clock, startedAt: clock.now())
        let loadedAt = clock.now().rfc3339
        let session = TestSession(["server/status": handler])
        func status(_ uptime: String, _ degraded: String) -> String {
            """
            "result":{"version":"\(Version.current)","pid":\(getpid()),"uptime":\(uptime),"catalog":"built-in",\
            "loadedAt":"\(loadedAt)","resources":["character"],"inFlight":0,"degraded":[\(degraded)]}
            """
        }
        let absent = hasAll ? [] : [#"{"part":"api zoo","reason":"no key","since":"\#(loadedAt)"}"#]
        #expect(await session.call("server/status", "{}") == status("0.000", absent.joined()))
        let since = clock.now()
        board.note(DegradedPart(part: "persistence", reason: "first", since: since))
        board.note(DegradedPart(part: "recents", reason: "gone", since: since))
        board.note(DegradedPart(part: "persistence", reason: "disk full", since: since))
        clock.advance(milliseconds: 61_005)
        let noted = ["recents\",\"reason\":\"gone", "persistence\",\"reason\":\"disk full"]
            .map { #"{"part":"\#($0)","since":"2026-01-31T09:05:00.250Z"}"# }
        let degraded = (noted + absent).joined(separator: ",")
        #expect(await session.call("server/status", "{}") == status("61.005", degraded))
        clock.advance(milliseconds: -1_000_000)
        #expect(await session.call("server/status", "{}") == status("0.000", degraded))
    }
}
