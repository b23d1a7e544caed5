import DataSources
import JSON
import Mocks
import Repositories
import System
import TestSupport
import Testing

@testable import HTTP
@testable import Model
@testable import RPCServer

@Suite(.limited) struct CacheHandlersTests {
    private final class Selections: Sendable {
        private let seen = Lock<[CacheSelection]>([])
        var all: [CacheSelection] { seen.withLock { $0 } }
        func note(_ selection: CacheSelection) { seen.withLock { $0.append(selection) } }
    }

    private static func make() throws -> (Selections, TestSession) {
        let selections = Selections()
        let handler = CacheSelectionHandler(
            counted: "removed", summary: "",
            resources: [try TestCatalog.resource("character"), try TestCatalog.resource("book")], clock: ClockMock(),
            action: { selection in
                selections.note(selection)
                return 7
            })
        return (selections, TestSession(["cache/remove": handler]))
    }

    @Test(
        arguments: [
            ("{}", CacheSelection()), (#"{"resource":"book"}"#, CacheSelection(resource: "book")),
            (#"{"resource":"character","id":"1"}"#, CacheSelection(resource: "character", ids: ["1"])),
            (#"{"resource":"character","ids":[3,"2"]}"#, CacheSelection(resource: "character", ids: ["3", "2"])),
            (#"{"resource":"book","id":3}"#, CacheSelection(resource: "book", ids: ["3"])),
            (#"{"pages":true}"#, CacheSelection(pages: .all)),
            (#"{"resource":"character","pages":true}"#, CacheSelection(resource: "character", pages: .all)),
            (
                #"{"resource":"character","pages":{"filter":{"status":"Dead","name":"rick"}}}"#,
                CacheSelection(resource: "character", pages: .list(#"{"name":"rick","status":"Dead"}"#))
            ),
            (
                #"{"olderThan":"1m"}"#,
                CacheSelection(fetchedBefore: Timestamp(milliseconds: 1_769_850_300_250 - 60_000))
            ),
        ])
    func cacheParamsSelectTheEntriesToChange(params: String, selection: CacheSelection) async throws {
        let (selections, session) = try Self.make()
        #expect(await session.call("cache/remove", params) == #""result":{"removed":7}"#)
        #expect(selections.all == [selection])
    }

    @Test(
        arguments: [
            (#"{"resource":"planet"}"#, "'resource' must be one of 'character', 'book'"),
            (#"{"resource":"bok"}"#, "'resource' must be one of 'character', 'book'; did you mean 'book'?"),
            (#"{"resource":"character","id":"x"}"#, "the ids of 'character' must be of type integer"),
            (#"{"resource":"character","ids":[1,"x"]}"#, "the ids of 'character' must be of type integer"),
            (#"{"id":1}"#, "'resource' is missing: 'id' and 'ids' require it"),
            (
                #"{"resource":"character","pages":{"filter":{"colour":"red"}}}"#,
                "'filter' has no 'colour'; use one of 'name', 'status', 'species', 'type', 'gender'"
            ),
            (#"{"resource":"character","id":1,"ids":[2]}"#, "'id' and 'ids' cannot be combined; pass only one"),
            (
                #"{"olderThen":"1m"}"#,
                "unknown parameter 'olderThen': this method takes 'resource', 'scope', 'id', 'ids', 'pages', 'olderThan'"
            ),
            (#"{"scope":{"owner":"x"}}"#, "'resource' is missing: 'scope' requires it"),
            (
                #"{"resource":"character","scope":{"owner":"x"}}"#,
                "'scope' has no 'owner': 'character' has no scope; remove 'scope'"
            ),
        ])
    func invalidParamsChangeNothing(params: String, message: String) async throws {
        let (selections, session) = try Self.make()
        #expect(await session.call("cache/remove", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(selections.all.isEmpty)
    }

    @Test func cacheStatisticsCoverAllLevels() async throws {
        var numbers = LocalStatistics()
        (numbers.entries, numbers.bytes, numbers.limit) = (1, 2, 3)
        (numbers.hits, numbers.misses, numbers.evictions) = (4, 5, 6)
        let memory = numbers
        numbers.damaged = 7
        numbers.path = "/cache/larder"
        numbers.state = .unavailable
        let repository = ResourceRepositoryMock(try TestCatalog.resource("character"))
        repository.configure { $0.statistics = ResourceStatistics(hits: 8, misses: 9, coalesced: 1) }
        let counters = RemoteCounters()
        let client = APIClient(
            HTTPClientMock(.failure(.network("reset"))), retries: 2, counters: counters,
            timer: TimerMock(passesWithSleeps: true))
        _ = try? await client.send(HTTPRequest(url: "https://a.test/"))
        let counts = #""entries":1,"bytes":2,"limit":3,"hits":4,"misses":5,"evictions":6"#
        let rest = """
            "remote":{"requests":3,"failures":3,"retries":2,"coalesced":1,"notModified":0},\
            "resources":{"character":{"hits":8,"misses":9}}}
            """
        for (levels, expected) in [
            (
                [Source.memory: memory, .persistence: numbers],
                #"{\#(counts),"damaged":7,"path":"/cache/larder","state":"unavailable"}"#
            ),
            (
                [.memory: memory],
                """
                {"entries":0,"bytes":0,"limit":0,"hits":0,"misses":0,"evictions":0,"damaged":0,"path":null,"state":"off"}
                """
            ),
        ] {
            let session = TestSession([
                "cache/stats": CacheStatsHandler(
                    levels: { levels }, remote: counters, repositories: [repository])
            ])
            #expect(
                await session.call("cache/stats", "{}")
                    == #""result":{"memory":{\#(counts)},"persistence":\#(expected),\#(rest)"#)
        }
    }

    @Test func sharedLevelReportsAllStatistics() async throws {
        var shared = SharedStatistics(url: "redis://cache:6379/0", mode: .readwrite, namespace: "team")
        shared.state = .failing
        (shared.reason, shared.version) = ("it was lost", "7.0.15")
        (shared.hits, shared.misses, shared.written, shared.refused, shared.rejected) = (1, 2, 3, 4, 5)
        (shared.lost, shared.failures, shared.waited) = (6, 7, 9)
        var level = LocalStatistics()
        level.shared = shared
        let handler = CacheStatsHandler(
            levels: { [level] in [.shared: level] }, remote: RemoteCounters(), repositories: [])
        let reply = await TestSession(["cache/stats": handler]).call("cache/stats", "{}")
        let told = try JSONValue(parsing: "{\(reply)}")["result"]?["shared"]
        #expect(
            told?.text == """
                {"url":"redis://cache:6379/0","mode":"readwrite","namespace":"team","state":"failing",\
                "reason":"it was lost","version":"7.0.15","writeRefusal":null,"hits":1,"misses":2,"written":3,\
                "refused":4,"rejected":5,"lost":6,"failures":7,"waited":9}
                """)
        guard case .object(let members)? = told,
            case .object(let declared)? = handler.description.result?.json["properties"]?["shared"]?["properties"]
        else {
            Issue.record("no member, or no schema")
            return
        }
        #expect(members.members.map(\.key) == declared.members.map(\.key))
        #expect(declared["state"]?["enum"] == .array(SharedStatistics.State.allCases.map { .string($0.rawValue) }))
    }

    @Test(arguments: LevelState.allCases) func everyCacheLevelStateIsInTheSchema(state: LevelState) async throws {
        var numbers = LocalStatistics()
        numbers.state = state
        let handler = CacheStatsHandler(
            levels: { [numbers] in [.persistence: numbers] }, remote: RemoteCounters(), repositories: [])
        let reply = await TestSession(["cache/stats": handler]).call("cache/stats", "{}")
        let told = try JSONValue(parsing: "{\(reply)}")["result"]?["persistence"]?["state"]
        #expect(told == .string(state.rawValue))
        let schema = handler.description.result?.json["properties"]?["persistence"]?["properties"]?["state"]
        #expect(schema?["enum"] == .array(LevelState.allCases.map { .string($0.rawValue) }))
    }
}
