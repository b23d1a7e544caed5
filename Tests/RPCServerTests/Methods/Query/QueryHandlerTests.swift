import Catalog
import JSON
import Mocks
import Protocol
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model
@testable import RPCServer

@Suite(.limited) struct QueryHandlerTests {
    private static let key = ResourceKey(name: "book", fingerprint: .init(high: 1, low: 1))

    /// Returns a session whose cache contains the books `a` and `b`.
    private static func session() throws -> TestSession {
        let memory = MemoryDataSource(limit: 1 << 20)
        for id in ["a", "b"] {
            memory.save(
                LocalChange(items: [
                    ItemEntity(
                        key: ItemKey(resource: key, id: id), json: Array(#"{"id":"\#(id)","title":null}"#.utf8),
                        fetchedAt: Answers.moment)
                ]))
        }
        let queries = CacheQueries(file: nil, memory: memory, clock: ClockMock(), memoryLimit: 1 << 24)
        let catalog = CatalogQueries(queries, [(try TestCatalog.resource("book"), key)])
        let errors = RPCErrorMapper(redactor: Redactor(secrets: ["hunter22"]))
        return TestSession(["query": QueryHandler(errors: errors, clock: ClockMock(), queries: catalog)])
    }

    @Test(arguments: [
        (
            #"{"sql":"select id, title from book order by id"}"#,
            #"["id","title"],"rows":[["a",null],["b",null]],"truncated":false"#
        ),
        (#"{"sql":"select id from book where id = ?","params":["b"]}"#, #"["id"],"rows":[["b"]],"truncated":false"#),
        (
            #"{"sql":"select :x x, id from book","params":{"x":2},"maxRows":1}"#,
            #"["x","id"],"rows":[[2,"a"]],"truncated":true"#
        ),
    ])
    func queryResultHasRowsAndTables(params: String, members: String) async throws {
        let time = Answers.moment.rfc3339
        let reply = try await Self.session().call("query", params)
        let table = #"{"name":"book","rows":2,"coverage":"parts","oldest":"\#(time)","newest":"\#(time)"}"#
        #expect(reply == #""result":{"columns":\#(members),"tables":[\#(table)]}"#)
    }

    @Test(arguments: [
        (
            #"{"sql":"select hunter22 from book"}"#,
            #"{"code":-32602,"message":"no such column: *** (at byte 7 of 'sql')","data":{"offset":7}}"#
        ),
        (
            #"{"sql":"select 1; select 2"}"#, #"{"code":-32602,"message":"only one statement is allowed"}"#
        ),
        (
            #"{"sql":"select 1","params":[1]}"#,
            #"{"code":-32602,"message":"the statement has 0 parameters, but 'params' has 1 value"}"#
        ),
        (
            #"{"sql":"select 1 from book","maxAge":"1h"}"#,
            #"""
            {"code":-31015,"message":"no complete, recent copy of 'book': call the methods in 'data.calls', or leave out \#
            'coverage' and 'maxAge'","data":{"kind":"notSynced","tables":["book"],"calls":[{"method":"book/sync",\#
            "params":{}}]}}
            """#
        ),
        (
            #"{"sql":"with recursive r(n) as (select 1 union all select n + 1 from r) select n from r order by n","timeout":0}"#,
            #"{"code":-31016,"message":"the query exceeded its time limit; narrow the query","data":{"kind":"queryLimit","limit":"time"}}"#
        ),
    ])
    func queryErrorContainsTheReason(params: String, error: String) async throws {
        #expect(try await Self.session().call("query", params) == #""error":\#(error)"#)
    }

    @Test func queryErrorsAreMappedToErrorCodes() {
        let errors = RPCErrorMapper(redactor: Redactor(secrets: ["hunter22"]))
        #expect(errors.query(.busy).code == .busy)
        #expect(errors.query(.cancelled).code == .requestCancelled)
        #expect(errors.query(.limit(.memory, "x")).data["limit"] == "memory")
        let local = errors.query(.local(LocalDataError("cannot query: hunter22")))
        #expect(local.code == .internalError && local.message == "cannot query: ***")
    }
}
