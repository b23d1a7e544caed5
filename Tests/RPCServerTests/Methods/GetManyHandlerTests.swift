import DataSources
import JSON
import Mocks
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct GetManyHandlerTests {
    private static func make(
        _ name: String = "character", isOffline: Bool = false, hasShared: Bool = false
    ) throws -> (ResourceRepositoryMock, TestSession) {
        let repository = ResourceRepositoryMock(try TestCatalog.resource(name))
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: isOffline, hasShared: hasShared)
        return (repository, TestSession(["getMany": GetManyHandler(context: context)]))
    }

    private static func answer(
        _ items: [String], missing: [String] = [], _ sources: [Source: Int], fallback: APIError? = nil
    ) -> BatchAnswer {
        BatchAnswer(items: items.map { Array($0.utf8) }, missing: missing, sources: sources, fallback: fallback)
    }

    @Test func memoryHitsAreAnsweredAtOnce() throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.cachedItems = Self.answer([#"{"id":2}"#, #"{"id":1}"#], [.memory: 2]) }
        #expect(
            session.handle(#"{"jsonrpc":"2.0","id":1,"method":"getMany","params":{"ids":[2,"1"]}}"#) == """
                {"jsonrpc":"2.0","id":1,"result":{"items":[{"id":2},{"id":1}],"missing":[],\
                "sources":{"memory":2,"persistence":0,"remote":0}}}
                """)
        #expect(repository.calls == [.cachedItems(["2", "1"], CacheControl())])
    }

    @Test func sharedLevelIsCountedOnlyIfItExists() throws {
        for (counted, told) in [([Source.memory: 1], 0), ([.memory: 1, .shared: 3], 3)] {
            let (repository, session) = try Self.make(hasShared: true)
            repository.configure { $0.cachedItems = Self.answer([], counted) }
            #expect(
                session.handle(#"{"jsonrpc":"2.0","id":1,"method":"getMany","params":{"ids":[1]}}"#) == """
                    {"jsonrpc":"2.0","id":1,"result":{"items":[],"missing":[],\
                    "sources":{"memory":1,"persistence":0,"shared":\(told),"remote":0}}}
                    """)
        }
    }

    @Test(arguments: [("character", "[9,8]"), ("book", #"["9","8"]"#)])
    func missingIdsHaveTheIDTypeOfTheResource(name: String, missing: String) async throws {
        let (repository, session) = try Self.make(name)
        repository.configure {
            $0.items = .success(
                Self.answer(
                    ["{}"], missing: ["9", "8"], [.memory: 1, .persistence: 2, .remote: 3],
                    fallback: APIError(.network, "no route")))
        }
        #expect(
            await session.call("getMany", #"{"ids":[9,8],"cachePolicy":"remoteFirst"}"#) == """
                "result":{"items":[{}],"missing":\(missing),"sources":{"memory":1,"persistence":2,"remote":3},\
                "stale":true,"fallback":{"code":-31008,"message":"no route","data":{"kind":"network"}}}
                """)
        let control = CacheControl(.remoteFirst)
        #expect(repository.calls == [.cachedItems(["9", "8"], control), .items(["9", "8"], control)])
    }

    /// A client that requests progress receives it even if all items are in memory.
    @Test func memoryHitsReportProgress() async throws {
        let (repository, session) = try Self.make()
        let answer = Self.answer([#"{"id":2}"#], [.memory: 1])
        repository.configure {
            $0.cachedItems = answer
            $0.items = .success(answer)
            $0.progress = [(0, 2), (1, 2), (2, 2)]
        }
        _ = session.handle(
            #"{"jsonrpc":"2.0","id":1,"method":"getMany","params":{"ids":[2],"workDoneToken":"t"}}"#)
        let messages = await session.sink.wait(for: 5)
        #expect(messages[0].contains(#""token":"t","value":{"kind":"begin","title":"getMany""#))
        #expect(messages[1].contains(#""kind":"report","message":"1 of 2 items","percentage":50"#))
        #expect(messages[2].contains(#""kind":"report","message":"2 of 2 items","percentage":100"#))
        #expect(messages[3].contains(#""kind":"end""#))
        #expect(messages[4].contains(#""result":{"items":[{"id":2}]"#))
        #expect(repository.calls == [.items(["2"], CacheControl())])
    }

    @Test func uncachedItemsCauseAnErrorWhenOffline() async throws {
        let (repository, session) = try Self.make(isOffline: true)
        repository.configure { $0.items = .failure(.notCached(resource: "character")) }
        #expect(await session.call("getMany", #"{"ids":[]}"#).hasPrefix(#""error":{"code":-31010,"#))
        #expect(repository.calls.last == .items([], CacheControl(.localOnly)))
    }

    @Test(
        arguments: [
            ("{}", "'ids' is missing; pass an array of integers or strings"),
            (#"{"ids":1}"#, "'ids' must be an array of integers or strings"),
            (#"{"ids":[1,null]}"#, "'ids' must be an array of integers or strings"),
            (#"{"ids":[1,"x"]}"#, "each of 'ids' must be an integer, not 'x'"),
        ])
    func invalidParamsAreRefused(params: String, message: String) async throws {
        let (repository, session) = try Self.make()
        #expect(await session.call("getMany", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }
}
