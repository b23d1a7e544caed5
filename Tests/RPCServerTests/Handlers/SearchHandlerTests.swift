import DataSources
import JSON
import Synchronization
import TestSupport
import Testing

@testable import RPCServer

@Suite struct SearchHandlerTests {
    private struct Query: Equatable {
        var text: String?
        var filters: [PageRequest.Filter] = []
        var limit = 20
        var offset = 0
    }

    private final class Searches: Sendable {
        private let seen = Mutex<[Query]>([])
        var all: [Query] { seen.withLock { $0 } }
        func note(_ query: Query) { seen.withLock { $0.append(query) } }
    }

    private static func make(
        _ name: String = "character", hits: Result<SearchHits, LocalDataError>? = nil
    ) throws -> (Searches, Session) {
        let searches = Searches()
        let handler = SearchHandler(
            fields: try TestCatalog.resource(name).fields.map { FieldNames(fields: $0) },
            errors: RPCErrorMapper(redactor: Redactor(secrets: ["hunter2"])),
            search: { text, filters, limit, offset async throws(LocalDataError) in
                searches.note(Query(text: text, filters: filters, limit: limit, offset: offset))
                return try (hits ?? .success(SearchHits(items: [], count: 0))).get()
            })
        return (searches, Session(["search": handler]))
    }

    @Test(
        arguments: [
            ("{}", Query()), ("null", Query()), (#"{"text":"rick s"}"#, Query(text: "rick s")),
            (#"{"text":""}"#, Query(text: "")), (#"{"limit":0,"offset":7}"#, Query(limit: 0, offset: 7)),
            (#"{"limit":1000,"offset":9000000000}"#, Query(limit: 1000, offset: 9_000_000_000)),
            (
                #"{"filter":{"status":"Alive","id":1,"name":null}}"#,
                Query(filters: [.init("id", 1), .init("status", "Alive")])
            ),
            (#"{"filter":{"origin.name":"Earth"}}"#, Query(filters: [.init("origin.name", "Earth")])),
            (#"{"filter":{"episode.0":"x"}}"#, Query(filters: [.init("episode.0", "x")])),
        ])
    private func paramsBecomeAQuery(params: String, query: Query) async throws {
        let (searches, session) = try Self.make()
        #expect(await session.call("search", params) == #""result":{"items":[],"count":0}"#)
        #expect(searches.all == [query])
    }

    @Test func whatIsFoundIsTheResult() async throws {
        let items = [#"{"id":2}"#, #"{"id":1}"#].map { Array($0.utf8) }
        let (_, session) = try Self.make(hits: .success(SearchHits(items: items, count: 70)))
        #expect(await session.call("search", "{}") == #""result":{"items":[{"id":2},{"id":1}],"count":70}"#)
    }

    @Test func aFailureIsTheReplyWithoutSecrets() async throws {
        let (_, session) = try Self.make(hits: .failure(LocalDataError("cannot search: hunter2")))
        #expect(await session.call("search", "{}") == #""error":{"code":-32603,"message":"cannot search: ***"}"#)
    }

    private static let fields = """
        the fields of an item are 'id', 'name', 'status', 'species', 'type', 'gender', 'origin', 'origin.name', \
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
            (#"{"filter":{"colour":"red"}}"#, "'filter' has no 'colour': \(fields)"),
            (#"{"filter":{"origin.colour":"red"}}"#, "'filter' has no 'origin.colour': \(fields)"),
            (#"{"filter":{"name.first":"red"}}"#, "'filter' has no 'name.first': \(fields)"),
            (#"{"filter":{"episode.first":"red"}}"#, "'filter' has no 'episode.first': \(fields)"),
            (#"{"filter":{"origin.":"red"}}"#, "'filter' has no 'origin.': \(fields)"),
            (#"{"filter":{"":"red"}}"#, "'filter' has no '': \(fields)"),
            (#"{"page":1}"#, "unknown parameter 'page': this method takes 'text', 'filter', 'limit', 'offset'"),
        ])
    func wrongParamsAreNamed(params: String, message: String) async throws {
        let (searches, session) = try Self.make()
        #expect(await session.call("search", params) == #""error":{"code":-32602,"message":"\#(message)"}"#)
        #expect(searches.all.isEmpty)
    }

    @Test func aTextHasAnEnd() async throws {
        let (searches, session) = try Self.make()
        for (count, isTaken) in [(1000, true), (1001, false)] {
            let text = String(repeating: "é", count: count)
            #expect(await session.call("search", #"{"text":"\#(text)"}"#).hasPrefix(#""result""#) == isTaken)
        }
        #expect(searches.all.count == 1)
    }

    @Test func withoutDeclaredFieldsAnyNameIsTaken() async throws {
        let searches = Searches()
        let handler = SearchHandler(
            fields: nil, errors: RPCErrorMapper(redactor: Redactor(secrets: [])),
            search: { text, filters, limit, offset async throws(LocalDataError) in
                searches.note(Query(text: text, filters: filters, limit: limit, offset: offset))
                return SearchHits(items: [], count: 0)
            })
        _ = await Session(["search": handler]).call("search", #"{"filter":{"what.ever":true}}"#)
        #expect(searches.all == [Query(filters: [.init("what.ever", true)])])
    }
}
