import DataSources
import JSON
import Mocks
import Protocol
import System
import TestSupport
import Testing

@testable import Model
@testable import RPCServer
@testable import Repositories

@Suite(.limited) struct SyncHandlersTests {
    private static let time = #""2026-01-31T09:05:00.250Z""#
    private static let character = ResourceKey(name: "character", fingerprint: own)
    /// The fingerprint of a mock.
    private static let own = ResourceKey.Fingerprint(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF)

    private static func context(
        _ name: String, isOffline: Bool = false
    ) throws -> (ResourceRepositoryMock, ResourceContext) {
        let repository = ResourceRepositoryMock(try TestCatalog.resource(name))
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: Redactor(secrets: ["hunter22"])), isOffline: isOffline)
        return (repository, context)
    }

    private static func make(
        _ name: String = "character", isOffline: Bool = false
    ) throws -> (ResourceRepositoryMock, TestSession) {
        let (repository, context) = try context(name, isOffline: isOffline)
        let list = try #require(repository.resource.list)
        return (repository, TestSession(["sync": SyncHandler(context: context, list: list)]))
    }

    private static func answer(_ change: (inout SyncAnswer) -> Void = { _ in }) -> SyncAnswer {
        var state = SyncState(set: SyncSet(resource: character, list: "{}"))
        (state.items, state.syncedAt) = (50, Answers.moment)
        var answer = SyncAnswer(state: state)
        (answer.requests, answer.added, answer.changed, answer.removed) = (3, 2, 1, 4)
        answer.deletions = .walked
        answer.isComplete = true
        change(&answer)
        return answer
    }

    private static func request(_ change: (inout SyncRequest) -> Void = { _ in }) -> SyncRequest {
        var request = SyncRequest()
        change(&request)
        return request
    }

    // MARK: sync

    @Test func syncResultHasTheNumberOfChanges() async throws {
        let (repository, session) = try Self.make()
        let counts = #""requests":3,"added":2,"changed":1,"removed":4,"items":50"#
        for (answer, expected) in [
            (
                Self.answer(),
                #"{"mode":"whole",\#(counts),"syncedAt":\#(Self.time),"wholeAt":null,"deletions":"walked","#
                    + #""complete":true}"#
            ),
            (
                Self.answer {
                    ($0.mode, $0.deletions, $0.isComplete, $0.held) = (.none, .unknown, nil, 7)
                    ($0.state.syncedAt, $0.state.wholeAt) = (nil, Answers.moment)
                },
                #"{"mode":"none",\#(counts),"syncedAt":null,"wholeAt":\#(Self.time),"deletions":"unknown","#
                    + #""complete":null,"held":7}"#
            ),
            (
                Self.answer { $0.isComplete = false },
                #"{"mode":"whole",\#(counts),"syncedAt":\#(Self.time),"wholeAt":null,"deletions":"walked","#
                    + #""complete":false}"#
            ),
        ] {
            repository.configure { $0.sync = .success(answer) }
            #expect(await session.call("sync", "{}") == #""result":\#(expected)"#)
        }
    }

    @Test(arguments: [("character", #"7"#), ("book", #""7""#)])
    func syncResultListsChangesOnlyOnRequest(resource: String, id: String) async throws {
        let (repository, session) = try Self.make(resource)
        let kinds: [SyncAnswer.Change.Kind] = [.added, .changed, .removed]
        repository.configure {
            $0.sync = .success(
                Self.answer { answer in
                    answer.changes = kinds.map { SyncAnswer.Change(kind: $0, id: "7") }
                    answer.omittedChanges = 4
                })
        }
        let changes = kinds.map { #"{"change":"\#($0.rawValue)","id":\#(id)}"# }.joined(separator: ",")
        #expect(
            await session.call("sync", #"{"changes":true}"#)
                .hasSuffix(#","complete":true,"changes":[\#(changes)],"changesOmitted":4}"#))
        #expect(await session.call("sync", #"{"changes":false}"#).hasSuffix(#","complete":true}"#))
        #expect(repository.calls == [.sync(Self.request { $0.maxChanges = 1000 }), .sync(Self.request())])
    }

    @Test func everyMemberOfTheSyncResultIsInTheSchema() async throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.sync = .success(Self.answer { $0.held = 1 }) }
        let reply = try JSONValue(parsing: "{\(await session.call("sync", #"{"changes":true}"#))}")
        guard case .object(let members)? = reply["result"],
            case .object(let declared)? = SyncResult.schema.json["properties"]
        else {
            Issue.record("no result, or no schema")
            return
        }
        #expect(Set(members.members.map(\.key)) == Set(declared.members.map(\.key)))
    }

    @Test(
        arguments: [
            ("{}", request()), ("null", request()), (#"{"maxAge":"5m"}"#, request { $0.maxAge = 300_000 }),
            (#"{"maxAge":0}"#, request { $0.maxAge = 0 }),
            (#"{"maxAge":"5m","whole":true}"#, request { $0.startsOver = true }),
            (#"{"whole":false,"maxAge":1}"#, request { $0.maxAge = 1000 }),
            (#"{"maxRequests":9}"#, request { $0.maxRequests = 9 }),
            (#"{"acceptRemovals":true}"#, request { $0.acceptsRemovals = true }),
            (#"{"filter":{"name":"rick"}}"#, request { $0.filters = [.init("name", "rick")] }),
            (#"{"filter":{}}"#, request()),
        ])
    func paramsBecomeASyncRequest(params: String, request: SyncRequest) async throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.sync = .success(Self.answer()) }
        #expect(await session.call("sync", params).hasPrefix(#""result":{"mode":"whole""#))
        #expect(repository.calls == [.sync(request)])
    }

    private static let names =
        "'filter', 'maxAge', 'whole', 'maxRequests', 'changes', 'acceptRemovals', 'workDoneToken'"

    @Test(
        arguments: [
            (#"{"maxRequests":0}"#, "'maxRequests' must be a number from 1"),
            (#"{"maxRequests":1.5}"#, "'maxRequests' must be a number from 1"),
            (#"{"whole":1}"#, "'whole' must be true or false"),
            (#"{"changes":"yes"}"#, "'changes' must be true or false"),
            (#"{"filter":1}"#, "'filter' must be an object"),
            (
                #"{"filter":{"colour":"red"}}"#,
                "'filter' has no 'colour'; use one of 'name', 'status', 'species', 'type', 'gender'"
            ),
            (#"{"page":1}"#, "unknown parameter 'page': this method takes \(names)"),
        ])
    func invalidParamsAreRefused(params: String, message: String) async throws {
        let (repository, session) = try Self.make()
        #expect(await session.call("sync", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }

    @Test func offlineProcessRefusesASync() async throws {
        let (repository, session) = try Self.make(isOffline: true)
        let reply = try JSONValue(parsing: "{\(await session.call("sync", "{}"))}")["error"]
        #expect(reply?["code"] == -31010 && reply?["data"]?["kind"] == "notCached")
        #expect(repository.calls.isEmpty)
    }

    @Test(
        arguments: [
            (
                SyncError.taken,
                #"{"code":-31011,"message":"another sync of this list is running, or the copy was removed "#
                    + #"during the sync; try again later","data":{"kind":"busy","resource":"character"}}"#
            ),
            (
                .local(LocalDataError("cannot sync: hunter22", isUnavailable: true)),
                #"{"code":-32603,"message":"cannot sync: ***"}"#
            ),
            (
                .repository(.remote(APIError(.network, "reset: hunter22"))),
                #"{"code":-31008,"message":"reset: ***","data":{"kind":"network"}}"#
            ),
        ])
    func failedSyncReturnsAnError(error: SyncError, expected: String) async throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.sync = .failure(error) }
        #expect(await session.call("sync", "{}") == #""error":\#(expected)"#)
    }

    @Test func progressOfASyncHasTheNumberOfItems() async throws {
        let (repository, session) = try Self.make()
        repository.configure {
            $0.sync = .success(Self.answer())
            $0.pages = [(10, nil), (20, 40)]
        }
        _ = session.handle(#"{"jsonrpc":"2.0","id":1,"method":"sync","params":{"workDoneToken":"t"}}"#)
        let messages = await session.sink.wait(for: 5)
        #expect(messages[1].contains(#""message":"item 10"}"#))
        #expect(messages[2].contains(#""message":"item 20 of 40","percentage":50"#))
        #expect(messages[3].contains(#""kind":"end""#))
        #expect(messages[4].contains(#""result":{"mode":"whole""#))
    }

    // MARK: cache/syncs

    private static func syncs(
        _ states: Result<[SyncState], LocalDataError>
    ) async throws -> (ResourceRepositoryMock, reply: String) {
        let (repository, character) = try context("character")
        let (_, book) = try context("book")
        let handler = SyncsHandler(
            contexts: [character, book], errors: character.errors,
            states: { () async throws(LocalDataError) in try states.get() })
        return (repository, await TestSession(["cache/syncs": handler]).call("cache/syncs", "{}"))
    }

    private static func state(
        _ name: String, list: String = "{}", _ change: (inout SyncState) -> Void = { _ in }
    ) -> SyncState {
        var state = SyncState(
            set: SyncSet(resource: ResourceKey(name: name, fingerprint: own), list: list))
        (state.items, state.syncedAt, state.wholeAt) = (3, Answers.moment, Answers.moment)
        change(&state)
        return state
    }

    private static let times = #""items":3,"syncedAt":\#(time),"wholeAt":\#(time)"#

    @Test(
        arguments: [
            (state("character"), #"{"resource":"character",\#(times),"complete":true}"#),
            (state("book") { $0.isPartial = true }, #"{"resource":"book",\#(times),"complete":false}"#),
            (
                state("book") { $0.position = SyncPosition(page: .number(2), start: Answers.moment) },
                #"{"resource":"book",\#(times),"complete":false}"#
            ),
            (
                state("book") { ($0.items, $0.syncedAt, $0.wholeAt) = (0, nil, nil) },
                #"{"resource":"book","items":0,"syncedAt":null,"wholeAt":null,"complete":false}"#
            ),
            (
                state("character", list: #"{"name":"rick"}"#),
                #"{"resource":"character","filter":{"name":"rick"},\#(times),"complete":true}"#
            ),
        ])
    func replyToCacheSyncsContainsTheStateOfALocalCopy(state: SyncState, expected: String) async throws {
        #expect(try await Self.syncs(.success([state])).reply == #""result":{"syncs":[\#(expected)],"others":[]}"#)
    }

    @Test func replyToCacheSyncsContainsTheScopeOfALocalCopy() async throws {
        let (repository, reply) = try await Self.syncs(.success([Self.state(#"character{"owner":"x"}"#)]))
        let expected = #"{"resource":"character","scope":{"owner":"x"},\#(Self.times),"complete":true}"#
        #expect(reply == #""result":{"syncs":[\#(expected)],"others":[]}"#)
        #expect(repository.calls == [.scoped(ResourceScope([("owner", "x")]))])
    }

    @Test func replyToCacheSyncsSeparatesCopiesOfOtherCredentials() async throws {
        func other(_ name: String, list: String = "{}") -> SyncState {
            SyncState(set: SyncSet(resource: ResourceKey(name: name, fingerprint: .init(high: 1, low: 2)), list: list))
        }
        let filter = #"{"name":"rick"}"#
        let states = [
            Self.state("planet"), other("planet"), other("character", list: filter), other("book"), Self.state("book"),
        ]
        let (_, reply) = try await Self.syncs(.success(states))
        let own = #"{"resource":"book",\#(Self.times),"complete":true}"#
        // The catalog has no planets, and the list of books has a newer copy.
        let others = #"{"resource":"character","filter":\#(filter),"items":0,"syncedAt":null}"#
        #expect(reply == #""result":{"syncs":[\#(own)],"others":[\#(others)]}"#)
        #expect(try await Self.syncs(.success([])).reply == #""result":{"syncs":[],"others":[]}"#)
    }

    @Test func replyToCacheSyncsIsAnErrorIfTheCopiesCannotBeRead() async throws {
        let (_, reply) = try await Self.syncs(.failure(LocalDataError("cannot read the sets: hunter22")))
        #expect(reply == #""error":{"code":-32603,"message":"cannot read the sets: ***"}"#)
    }
}
