import DataSources
import JSON
import Mocks
import Protocol
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct PrefetchHandlerTests {
    private static func make(isOffline: Bool = false) throws -> (ResourceRepositoryMock, TestSession) {
        let repository = ResourceRepositoryMock(try TestCatalog.resource("character"))
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: isOffline)
        let list = try #require(repository.resource.list)
        return (repository, TestSession(["prefetch": PrefetchHandler(context: context, list: list)]))
    }

    private static var answer: PrefetchAnswer {
        var answer = PrefetchAnswer()
        (answer.pages, answer.items, answer.fetched, answer.reused) = (3, 50, 2, 1)
        answer.isComplete = true
        return answer
    }

    @Test func prefetchResultHasTheNumbersOfPagesAndItems() async throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.prefetch = .success(Self.answer) }
        #expect(
            await session.call("prefetch", #"{"filter":{"name":"rick"},"maxPages":3}"#)
                == #""result":{"pages":3,"items":50,"fetched":2,"reused":1,"complete":true}"#)
        guard case .prefetch(let filters, let limit, _) = repository.calls.first else {
            Issue.record("no prefetch")
            return
        }
        #expect(filters.count == 1 && limit == 3 && repository.calls.count == 1)
    }

    @Test func progressOfAPrefetchHasTheNumberOfPages() async throws {
        let (repository, session) = try Self.make()
        repository.configure {
            $0.prefetch = .success(Self.answer)
            $0.pages = [(1, nil), (2, 4), (4, 4)]
        }
        _ = session.handle(#"{"jsonrpc":"2.0","id":1,"method":"prefetch","params":{"workDoneToken":"t"}}"#)
        let messages = await session.sink.wait(for: 6)
        #expect(messages[1].contains(#""message":"page 1"}"#))
        #expect(messages[2].contains(#""message":"page 2 of 4","percentage":50"#))
        #expect(messages[3].contains(#""message":"page 4 of 4","percentage":100"#))
        #expect(messages[4].contains(#""kind":"end""#))
        #expect(messages[5].contains(#""result":{"pages":3"#))
    }

    @Test func failedPrefetchReturnsAnError() async throws {
        let (repository, session) = try Self.make()
        repository.configure { $0.prefetch = .failure(.busy(limit: 3)) }
        #expect(await session.call("prefetch", "{}").hasPrefix(#""error":{"code":-31011,"#))
    }

    @Test(arguments: [(true, CachePolicy.localOnly), (false, .localFirst)])
    func networkIsNotUsedWhenOffline(isOffline: Bool, policy: CachePolicy) async throws {
        let (repository, session) = try Self.make(isOffline: isOffline)
        _ = await session.call("prefetch", "{}")
        #expect(repository.calls == [.prefetch([], limit: nil, CacheControl(policy))])
    }

    @Test(
        arguments: [
            (#"{"maxPages":0}"#, "'maxPages' must be a number of pages from 1"),
            (#"{"maxPages":1.5}"#, "'maxPages' must be a number of pages from 1"),
            (#"{"filter":1}"#, "'filter' must be an object"),
            (#"{"page":1}"#, "unknown parameter 'page': this method takes 'filter', 'maxPages', 'workDoneToken'"),
        ])
    func invalidParamsAreRefused(params: String, message: String) async throws {
        let (repository, session) = try Self.make()
        #expect(await session.call("prefetch", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }
}
