import DataSources
import JSON
import Mocks
import Protocol
import System
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct QueryCachedToolTests {
    private static let key = ResourceKey(name: "book", fingerprint: .init(high: 1, low: 1))
    private let session: TestSession

    /// Creates a session whose cache contains two books.
    init() throws {
        let memory = MemoryDataSource(limit: 1 << 20)
        for id in ["a", "b"] {
            let item = ItemEntity(
                key: ItemKey(resource: Self.key, id: id), json: Array(#"{"id":"\#(id)","title":null}"#.utf8),
                fetchedAt: Answers.moment)
            memory.save(LocalChange(items: [item]))
        }
        let resource = try TestCatalog.resource("book")
        let queries = CatalogQueries(
            CacheQueries(file: nil, memory: memory, clock: ClockMock(Answers.moment), memoryLimit: 1 << 24),
            [(resource, Self.key)])
        let errors = RPCErrorMapper(redactor: .none)
        let context = MCPStage.context(of: ResourceRepositoryMock(resource))
        session = TestSession(
            [:], resources: ["book": context],
            mcp: MCPRouter([context], errors, clock: ClockMock(Answers.moment), queries: queries))
    }

    private func call(_ arguments: JSONValue) async throws -> JSONValue? {
        let members = #""name":"query_cached","arguments":\#(arguments.text),"#
        return try JSONValue(parsing: await session.reply(to: MCPStage.request("tools/call", members)))["result"]
    }

    /// Returns the message of a failed call.
    private func failure(_ arguments: JSONValue) async throws -> JSONValue? {
        let result = try await call(arguments)
        #expect(result?["isError"] == true)
        return result?["content"]?[0]?["text"]
    }

    @Test func rowsFollowTheirCoverage() async throws {
        let shown = try await call(["sql": "select id, title from book order by id"])?["structuredContent"]
        #expect(
            shown?.text == #"{"coverage":"book: 2 items, maybe not all","columns":["id","title"],"#
                + #""rows":[["a",null],["b",null]],"truncated":false}"#)
        let none = try await call(["sql": "select 1 x"])?["structuredContent"]
        #expect(none?["coverage"] == "no tables" && none?["rows"] == [[1]])
    }

    @Test(arguments: [(nil, 100), (101, 101), (1, 1)] as [(Int?, Int)])
    func numberOfRowsIsLimited(maxRows: Int?, count: Int) async throws {
        let sql = "with recursive r(n) as (select 1 union all select n + 1 from r limit 101) select n from r"
        var arguments = JSONObject([("sql", .string(sql))])
        arguments["maxRows"] = maxRows.map { .integer($0) }
        let shown = try await call(.object(arguments))?["structuredContent"]
        #expect(shown?["rows"]?[count - 1] == [.integer(count)] && shown?["rows"]?[count] == nil)
        #expect(shown?["truncated"] == .bool(count < 101))
    }

    @Test func answerWithinTheSizeLimitHasOnlyTheFirstRows() async throws {
        let sql = "with r(n) as (values (1), (2), (3), (4)) select n, hex(zeroblob(12000)) from r"
        let shown = try await call(["sql": .string(sql)])?["structuredContent"]
        #expect(shown?["rows"]?[1]?[0] == 2 && shown?["rows"]?[2] == nil && shown?["truncated"] == true)
    }

    @Test func rowThatIsLargerThanAnAnswerIsAnError() async throws {
        let message = try await failure(["sql": "select hex(zeroblob(31000)) a, 1 b"])?.plainText ?? ""
        #expect(
            message.hasPrefix("a row has 62006 bytes, but an answer at most 60000: select fewer columns"), "\(message)")
    }

    @Test func missingCopyIsReportedWithTheNextStep() async throws {
        #expect(
            try await failure(["sql": "select 1 from book", "coverage": "synced"])
                == "no complete copy of 'book': leave out 'coverage' to query what is cached")
        #expect(try await call(["sql": "select 1 from book", "coverage": "any"])?["isError"] != true)
    }

    @Test(
        arguments: [
            (["sql": "select nme from book"], "no such column: nme"),
            (["sql": "delete from book"], "may not be modified"),
            (["maxRows": 1], "'sql' is missing"), (["sql": "select 1", "maxRows": 0], "'maxRows'"),
            (["sql": "select 1", "coverage": "all"], "'coverage'"), (["sql": "select 1", "params": [1]], "'params'"),
        ] as [(JSONValue, String)])
    func invalidCallIsReported(arguments: JSONValue, part: String) async throws {
        let message = try await failure(arguments)?.plainText ?? ""
        #expect(message.contains(part), "\(message)")
    }
}
