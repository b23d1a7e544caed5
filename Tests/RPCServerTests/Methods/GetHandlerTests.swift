import DataSources
import JSON
import Mocks
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct GetHandlerTests {
    private let repository: ResourceRepositoryMock
    private let session: TestSession

    init() throws { (repository, session) = try Self.make() }

    private static func make(
        _ resource: String = "character", isOffline: Bool = false
    ) throws -> (ResourceRepositoryMock, TestSession) {
        let repository = ResourceRepositoryMock(try TestCatalog.resource(resource))
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: Redactor(secrets: ["hush-hush"])),
            isOffline: isOffline)
        return (repository, TestSession(["get": GetHandler(context: context)]))
    }

    @Test func memoryHitIsAnsweredAtOnce() {
        repository.configure { $0.cachedItem = Answers.item(#"{"id":1,"name":"Rick"}"#) }
        let reply = session.handle(#"{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":1}}"#)
        #expect(
            reply == """
                {"jsonrpc":"2.0","id":1,"result":{"item":{"id":1,"name":"Rick"},"source":"memory",\
                \(Answers.fetchedAt),"stale":false}}
                """)
        #expect(repository.calls == [.cachedItem("1", CacheControl(.localFirst))])
    }

    @Test func onlyTheRequestedFieldsAreReturned() async {
        let item = #"{"id":1,"name":"Rick","origin":{"name":"Earth","url":"u"}}"#
        repository.configure { $0.cachedItem = Answers.item(item) }
        let reply = session.handle(
            #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"id":1,"fields":["origin.name","id"]}}"#)
        #expect(reply.contains(#""item":{"id":1,"origin":{"name":"Earth"}},"source":"memory""#))
        repository.configure {
            $0.cachedItem = nil
            $0.item = .success(Answers.item(item))
        }
        let found = await session.call("get", #"{"id":1,"fields":["name"]}"#)
        #expect(found.hasPrefix(#""result":{"item":{"name":"Rick"},"#))
        // The whole item is read, so the key does not depend on the fields.
        #expect(repository.calls.last == .item("1", CacheControl(.localFirst)))
    }

    @Test func hitInTheSharedLevelStartsNoTask() async {
        repository.configure { $0.sharedItem = .found(Answers.item(#"{"id":1,"name":"Rick"}"#)) }
        let reply = await session.call("get", #"{"id":1,"fields":["name"]}"#)
        #expect(reply.hasPrefix(#""result":{"item":{"name":"Rick"}"#))
        #expect(repository.calls == [.cachedItem("1", CacheControl(.localFirst))])
        #expect(session.pending.count == 0)
    }

    @Test(arguments: [true, false]) func itemMissingInTheSharedLevelIsReadFromTheRepository(isMissing: Bool) async {
        repository.configure {
            $0.sharedItem = isMissing ? .missing : .outdated
            $0.item = .success(Answers.item(#"{"id":1}"#))
        }
        #expect(await session.call("get", #"{"id":1}"#).hasPrefix(#""result":{"item":{"id":1}"#))
        #expect(repository.calls.last == .item("1", CacheControl(.localFirst), skipsShared: isMissing))
        #expect(await onThread { session.pending.drain(within: .seconds(600)) })
    }

    @Test(arguments: ["nme", "id.x", "origin.nothing", "origin.name.x"])
    func unknownFieldIsRefused(name: String) async {
        let reply = await session.call("get", #"{"id":1,"fields":["\#(name)"]}"#)
        let message = "'fields' has an unknown field '\(name)'; an item has the fields 'id'"
        #expect(reply.hasPrefix(#""error":{"code":-32602,"message":"\#(message)"#))
        #expect(repository.calls.isEmpty)
    }

    @Test func misspeltFieldHasASuggestion() async {
        let reply = await session.call("get", #"{"id":1,"fields":["idd"]}"#)
        #expect(reply.contains("'fields' has an unknown field 'idd'; an item has the fields 'id', 'name', "))
        #expect(reply.contains(", 'created'; did you mean 'id'?\""))
    }

    @Test(arguments: [(Source.persistence, "persistence"), (.remote, "remote"), (.memory, "memory")])
    func itemMissingInMemoryIsReadFromTheRepository(source: Source, name: String) async {
        repository.configure { $0.item = .success(Answers.item(#"{"id":2}"#, from: source, isStale: true)) }
        #expect(
            await session.call("get", #"{"id":"2","cachePolicy":"remoteFirst","maxAge":"5m"}"#)
                == #""result":{"item":{"id":2},"source":"\#(name)",\#(Answers.fetchedAt),"stale":true}"#)
        let control = CacheControl(.remoteFirst, maxAge: 300_000)
        #expect(repository.calls == [.cachedItem("2", control), .item("2", control)])
    }

    @Test func fallbackErrorIsRedacted() async {
        var error = APIError(.serverError, "503 for hush-hush", status: 503)
        error.api = "rickandmorty"
        repository.configure { $0.item = .success(Answers.item("{}", isStale: true, fallback: error)) }
        #expect(
            await session.call("get", #"{"id":1}"#) == """
                "result":{"item":{},"source":"memory",\(Answers.fetchedAt),"stale":true,"fallback":{"code":-31004,\
                "message":"503 for ***","data":{"kind":"serverError","api":"rickandmorty","status":503}}}
                """)
    }

    @Test func repositoryErrorIsReturned() async {
        #expect(
            await session.call("get", #"{"id":1}"#) == """
                "error":{"code":-31008,"message":"ResourceRepositoryMock is not configured","data":{"kind":"network"}}
                """)
    }

    private static let policies: [(name: String, policy: CachePolicy)] = [
        ("localFirst", .localFirst), ("remoteFirst", .remoteFirst), ("none", .none), ("localOnly", .localOnly),
    ]

    @Test(arguments: policies)
    func cachePolicyIsSelectedByItsName(name: String, policy: CachePolicy) async throws {
        _ = await session.call("get", #"{"id":1,"cachePolicy":"\#(name)"}"#)
        #expect(repository.calls.last == .item("1", CacheControl(policy)))
        let (offline, offlineSession) = try Self.make(isOffline: true)
        _ = await offlineSession.call("get", #"{"id":1,"cachePolicy":"\#(name)","maxAge":1}"#)
        #expect(offline.calls.last == .item("1", CacheControl(.localOnly, maxAge: 1000)))
    }

    @Test func everyCachePolicyIsInTheTestTable() { #expect(Self.policies.map(\.policy) == CachePolicy.allCases) }

    @Test(
        arguments: [
            (#"{"id":"abc"}"#, "'id' must be an integer, not 'abc'"),
            (#"{"id":"007"}"#, "'id' must be an integer, not '007'"),
            (#"{"id":1.5}"#, "'id' must be an integer or a string"),
            (#"{"id":true}"#, "'id' must be an integer or a string"),
            ("{}", "'id' is missing; pass an integer or a string"),
            (#"{"id":null}"#, "'id' is missing; pass an integer or a string"),
            (
                #"{"id":1,"cachePolicy":"always"}"#,
                #"'cachePolicy' must be one of \"localFirst\", \"remoteFirst\", \"none\", \"localOnly\""#
            ),
            (
                #"{"id":1,"maxAge":"soon"}"#,
                #"'maxAge' must be a duration: seconds, or \"90s\", \"5m\", \"12h\", \"30d\""#
            ),
            (
                #"{"id":1,"cachePolcy":"none"}"#,
                "unknown parameter 'cachePolcy': this method takes 'id', 'fields', 'cachePolicy', 'maxAge'"
            ),
        ])
    func invalidParamsAreRefused(params: String, message: String) async {
        #expect(await session.call("get", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }

    @Test func stringIDMayBeAnyString() async throws {
        let (books, session) = try Self.make("book")
        _ = await session.call("get", #"{"id":"a/b"}"#)
        _ = await session.call("get", #"{"id":7}"#)
        #expect(books.calls.map { if case .item(let id, _, _) = $0 { id } else { "" } } == ["", "a/b", "", "7"])
        #expect(
            await session.call("get", #"{"id":""}"#)
                == #""error":{"code":-32602,"message":"'id' must be a string that is not empty, not ''"}"#)
    }
}
