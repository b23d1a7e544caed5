import DataSources
import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import RPCServer

@Suite(.limited) struct SearchHandlerTests {
    private typealias Call = ResourceRepositoryMock.Call

    private static func query(
        _ text: String? = nil, filters: [PageRequest.Filter] = [], limit: Int = 20, offset: Int = 0
    ) -> Call {
        .search(text, filters, limit: limit, offset: offset)
    }

    private static func make(
        _ resource: ResourceDefinition? = nil,
        hits: Result<SearchHits, LocalDataError> = .success(SearchHits(items: [], count: 0))
    ) throws -> (ResourceRepositoryMock, TestSession) {
        let repository = ResourceRepositoryMock(try resource ?? TestCatalog.resource("character"))
        repository.configure { $0.hits = hits }
        let context = ResourceContext(
            repository: repository, idType: repository.resource.id,
            errors: RPCErrorMapper(redactor: Redactor(secrets: ["hunter22"])), isOffline: false)
        return (repository, TestSession(["search": SearchHandler(context: context)]))
    }

    @Test(
        arguments: [
            ("{}", Self.query()), ("null", Self.query()), (#"{"text":"rick s"}"#, Self.query("rick s")),
            (#"{"text":""}"#, Self.query("")), (#"{"limit":0,"offset":7}"#, Self.query(limit: 0, offset: 7)),
            (#"{"limit":1000,"offset":9000000000}"#, Self.query(limit: 1000, offset: 9_000_000_000)),
            (
                #"{"filter":{"status":"Alive","id":1,"name":null}}"#,
                Self.query(filters: [.init("id", 1), .init("status", "Alive")])
            ),
            (#"{"filter":{"origin.name":"Earth"}}"#, Self.query(filters: [.init("origin.name", "Earth")])),
            (#"{"filter":{"episode.0":"x"}}"#, Self.query(filters: [.init("episode.0", "x")])),
        ])
    func paramsBecomeASearchQuery(params: String, query: ResourceRepositoryMock.Call) async throws {
        let (repository, session) = try Self.make()
        #expect(await session.call("search", params) == #""result":{"items":[],"count":0}"#)
        #expect(repository.calls == [query])
    }

    @Test func foundItemsAreReturned() async throws {
        let items = [#"{"id":2}"#, #"{"id":1}"#].map { Array($0.utf8) }
        let (_, session) = try Self.make(hits: .success(SearchHits(items: items, count: 70)))
        #expect(await session.call("search", "{}") == #""result":{"items":[{"id":2},{"id":1}],"count":70}"#)
    }

    @Test func secretsInAFailureAreRedacted() async throws {
        let (_, session) = try Self.make(hits: .failure(LocalDataError("cannot search: hunter22")))
        #expect(await session.call("search", "{}") == #""error":{"code":-32603,"message":"cannot search: ***"}"#)
    }

    private static let fields = """
        use one of 'id', 'name', 'status', 'species', 'type', 'gender', 'origin', 'origin.name', \
        'origin.url', 'location', 'location.name', 'location.url', 'image', 'episode', 'url', 'created'
        """

    @Test(
        arguments: [
            (#"{"text":1}"#, "'text' must be a string of at most 1000 characters"),
            (#"{"limit":1001}"#, "'limit' must be an integer from 0 to 1000"),
            (#"{"limit":-1}"#, "'limit' must be an integer from 0 to 1000"),
            (#"{"limit":"9"}"#, "'limit' must be an integer from 0 to 1000"),
            (#"{"limit":1.0}"#, "'limit' must be an integer from 0 to 1000"),
            (#"{"offset":-1}"#, "'offset' must be an integer from 0"),
            (#"{"offset":99999999999999999999}"#, "'offset' must be an integer from 0"),
            (#"{"filter":["a"]}"#, "'filter' must be an object of strings, numbers or booleans"),
            (#"{"filter":{"colour":"red"}}"#, "'filter' has no 'colour'; \(fields)"),
            (#"{"filter":{"origin.colour":"red"}}"#, "'filter' has no 'origin.colour'; \(fields)"),
            (#"{"filter":{"name.first":"red"}}"#, "'filter' has no 'name.first'; \(fields)"),
            (#"{"filter":{"episode.first":"red"}}"#, "'filter' has no 'episode.first'; \(fields)"),
            (#"{"filter":{"origin.":"red"}}"#, "'filter' has no 'origin.'; \(fields)"),
            (#"{"filter":{"":"red"}}"#, "'filter' has no ''; \(fields)"),
            (
                #"{"page":1}"#,
                "unknown parameter 'page': this method takes 'text', 'filter', 'fields', "
                    + "'limit', 'offset'"
            ),
        ])
    func invalidParamsAreRefused(params: String, message: String) async throws {
        let (repository, session) = try Self.make()
        #expect(await session.call("search", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(repository.calls.isEmpty)
    }

    @Test func lengthOfTheSearchTextIsLimited() async throws {
        let (repository, session) = try Self.make()
        for (count, isTaken) in [(1000, true), (1001, false)] {
            let text = String(repeating: "é", count: count)
            #expect(await session.call("search", #"{"text":"\#(text)"}"#).hasPrefix(#""result""#) == isTaken)
        }
        #expect(repository.calls.count == 1)
    }

    @Test func anyFilterIsAcceptedIfTheResourceDeclaresNoFields() async throws {
        let text = """
            {
              "larder": 1,
              "apis": {"things": {"baseURL": "https://things.test"}},
              "resources": {"thing": {"api": "things", "id": "integer", "rest": {"get": {"path": "/thing/{id}"}}}}
            }
            """
        let thing = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0]
        let (repository, session) = try Self.make(thing)
        _ = await session.call("search", #"{"filter":{"what.ever":true}}"#)
        #expect(repository.calls == [Self.query(filters: [.init("what.ever", true)])])
    }
}
