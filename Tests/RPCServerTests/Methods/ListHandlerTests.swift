import DataSources
import Mocks
import Protocol
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct ListHandlerTests {
    private let repository: ResourceRepositoryMock
    private let session: TestSession
    private static let info = #"{"current":1,"pages":42,"count":826,"next":2,"previous":null}"#

    init() throws { (repository, session) = try Self.make() }

    private static func make(
        _ name: String = "character", isOffline: Bool = false
    ) throws -> (ResourceRepositoryMock, TestSession) {
        let resource = try TestCatalog.resource(name)
        let repository = ResourceRepositoryMock(resource)
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: .none), isOffline: isOffline)
        return (repository, TestSession(["list": ListHandler(context: context, list: try #require(resource.list))]))
    }

    @Test func memoryHitIsAnsweredAtOnce() {
        repository.configure { $0.cachedPage = Answers.page([#"{"id":1}"#, #"{"id":2}"#], Self.info) }
        let reply = session.handle(#"{"jsonrpc":"2.0","id":1,"method":"list"}"#)
        #expect(
            reply == """
                {"jsonrpc":"2.0","id":1,"result":{"items":[{"id":1},{"id":2}],"page":\(Self.info),"source":"memory",\
                \(Answers.fetchedAt),"stale":false}}
                """)
        #expect(repository.calls == [.cachedPage(PageRequest(), CacheControl())])
    }

    @Test func pageMissingInMemoryIsReadFromTheRepository() async {
        repository.configure {
            $0.page = .success(
                Answers.page([], Self.info, from: .remote, fallback: APIError(.timeout, "late")))
        }
        #expect(
            await session.call("list", #"{"page":3,"filter":{"status":"Alive","name":"rick"},"maxAge":10}"#) == """
                "result":{"items":[],"page":\(Self.info),"source":"remote",\(Answers.fetchedAt),"stale":false,\
                "fallback":{"code":-31009,"message":"late","data":{"kind":"timeout"}}}
                """)
        let request = PageRequest(
            page: .number(3), filters: [PageRequest.Filter("name", "rick"), PageRequest.Filter("status", "Alive")])
        let control = CacheControl(.localFirst, maxAge: 10_000)
        #expect(repository.calls == [.cachedPage(request, control), .page(request, control)])
    }

    @Test func repositoryErrorIsReturned() async {
        repository.configure { $0.page = .failure(.busy(limit: 2)) }
        #expect(await session.call("list", "{}").hasPrefix(#""error":{"code":-31011,"#))
    }

    @Test func networkIsNotUsedWhenOffline() async throws {
        let (repository, session) = try Self.make(isOffline: true)
        _ = await session.call("list", #"{"cachePolicy":"none"}"#)
        #expect(repository.calls.last == .page(PageRequest(), CacheControl(.localOnly)))
    }

    @Test(
        arguments: [
            (
                #"{"filter":{"colour":"red"}}"#,
                "'filter' has no 'colour'; use one of 'name', 'status', 'species', 'type', 'gender'"
            ),
            (#"{"filter":"rick"}"#, "'filter' must be an object"),
            (#"{"filter":{"name":["rick"]}}"#, "'filter.name' must be a string"),
            (#"{"page":0}"#, "'page' must be a number from 1"),
            (#"{"page":-1}"#, "'page' must be a number from 1"),
            (#"{"page":"abc"}"#, "'page' must be a number from 1"),
            (
                #"{"size":3}"#,
                "unknown parameter 'size': this method takes 'page', 'filter', 'fields', "
                    + "'cachePolicy', 'maxAge'"
            ),
        ])
    func invalidParamsAreRefused(params: String, message: String) async {
        #expect(await session.call("list", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }

    @Test func filterOfAListWithoutFiltersIsRefused() async throws {
        let (_, session) = try Self.make("book")
        #expect(
            await session.call("list", #"{"filter":{"name":"x"}}"#)
                == #""error":{"code":-32602,"message":"'filter' has no 'name': "#
                + #"this list has no filters; remove 'filter'"}"#
        )
    }
}
