import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests which statements are allowed, their parameters, and their limits.
@Suite(.limited) struct QueryStatementTests {
    typealias Stage = QueryStage

    private static let endless = "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r"

    @Test(arguments: [
        "insert into ticket (id) values (1)", "update ticket set id = 1", "delete from ticket",
        "create table x (a)", "create temp table x (a)", "drop table ticket", "create view v as select 1",
        "attach 'other.sqlite' as other", "detach main", "pragma table_info(ticket)", "pragma query_only = 0",
        "pragma writable_schema = 1", "select * from sqlite_schema", "select count(*) from sqlite_schema",
        "select * from sqlite_temp_schema", "select * from pragma_table_info('ticket')",
        "select count(*) from pragma_function_list", "select * from dbstat", "select count(*) from dbstat",
        "select * from items", "select * from larder", "select load_extension('x')", "select fts3_tokenizer('x')",
        "select sqlite_compileoption_get(1)", "begin", "savepoint x", "commit", "vacuum", "vacuum into 'x.sqlite'",
        "analyze", "reindex", "create virtual table x using fts5(a)", "create virtual table x using larder(0)",
        "with x as (select 1) insert into ticket select * from x",
    ])
    func statementThatDoesMoreThanReadIsRefused(sql: String) async throws {
        let stage = try Stage()
        guard case .statement? = await stage.error(sql) else {
            Issue.record("\(String(describing: await stage.error(sql)))")
            return
        }
        #expect(try await stage.rows("select 1") == "[[1]]")
    }

    @Test(
        arguments: [
            ("select 1; select 2", "only one statement is allowed", nil),
            ("select 1; x", "only one statement is allowed", nil),
            ("", "the statement is empty", nil), (" -- nothing", "the statement is empty", nil),
            ("select 1\0", "the statement contains a NUL character", nil),
            ("select nme from ticket", "no such column: nme", 7),
            ("select 1 from missing", "no such table: missing", nil),
            ("select (", "incomplete input", nil), ("select \"open\" from ticket", "no such column: open", 7),
            ("select x'00'", "the column 'x'00'' contains a BLOB, which JSON cannot show; use hex()", nil),
        ] as [(String, String, Int?)])
    func faultIsReportedWithItsPlace(sql: String, message: String, offset: Int?) async throws {
        let error = await (try Stage()).error(sql)
        guard case .statement(let text, let place)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text == message && (offset == nil || place == offset), "\(text) \(String(describing: place))")
    }

    @Test(
        arguments: [
            ("select 1;", "[[1]]"), ("select 1; -- more", "[[1]]"),
            ("values (1, 'a'), (2, null)", #"[[1,"a"],[2,null]]"#),
            ("select 9223372036854775807, -0.5, 1e400, 2.0", "[[9223372036854775807,-0.5,null,2.0]]"),
            ("with x(n) as (select 1 union all select n + 1 from x where n < 3) select count(*) from x", "[[3]]"),
            // SQLite returns NULL for a text that is longer than the limit.
            ("with x as (select 1) select count(*) from x", "[[1]]"), ("select printf('%9999999d', 1)", "[[null]]"),
            ("select value from json_each('[1,2]')", "[[1],[2]]"), ("select upper('a') || lower('B')", #"[["Ab"]]"#),
            ("select sum(n) over () from (values (1), (2)) as v(n)", nil),
        ] as [(String, String?)])
    func statementThatReadsIsAllowed(sql: String, rows: String?) async throws {
        let stage = try Stage()
        guard let rows else { return }
        #expect(try await stage.rows(sql) == rows)
    }

    @Test func parametersAreBound() async throws {
        let stage = try Stage()
        let values: [JSONValue] = [.string("a'b"), .integer(3), .number("1.5"), true, .null, .array([.integer(1)])]
        #expect(try await stage.rows("select ?, ?, ?, ?, ?, ?", .positions(values)) == #"[["a'b",3,1.5,1,null,"[1]"]]"#)
        #expect(
            try await stage.rows("select :a, @b, $c, :a", .names([("a", 1), ("b", 2), ("c", 3)])) == "[[1,2,3,1]]")
        for parameters in [
            CacheQuery.Parameters.none, .positions([1]), .names([("a", 1)]), .names([("a", 1), ("b", 2), ("c", 3)]),
        ] {
            await #expect(throws: QueryError.self) { try await stage.rows("select :a, :b", parameters) }
        }
    }

    @Test func furtherRowsAreReportedAsTruncated() async throws {
        let stage = try Stage()
        stage.saveTickets(1...5)
        for (limit, isTruncated) in [(4, true), (5, false)] {
            var query = CacheQuery("select id from ticket")
            query.maxRows = limit
            let answer = try await stage.answer(query)
            #expect(answer.count == limit && answer.isTruncated == isTruncated)
        }
    }

    @Test(arguments: [
        endless,
        "select count(*) from ticket a, ticket b, ticket c, ticket d, ticket e",
        "select count(*) from ticket a join ticket b on b.title > a.title, ticket c, ticket d, ticket e",
    ])
    func endlessStatementEndsAtItsTimeLimit(sql: String) async throws {
        let stage = try Stage()
        stage.saveTickets(1...300)
        var query = CacheQuery(sql)
        query.timeout = 50
        await #expect(throws: QueryError.limit(.time, "the query exceeded its time limit")) {
            try await stage.answer(query)
        }
        #expect(try await stage.rows("select count(*) from ticket") == "[[300]]")
    }

    @Test(arguments: [
        "select group_concat(title || hex(zeroblob(4000))) from ticket",
        "select hex(zeroblob(3000000))", "select zeroblob(1000000000)",
        """
        with recursive r(n, t) as (select 1, 'x' union all select n + 1, hex(zeroblob(100000)) || n from r)
        select t from r order by t
        """,
        "with recursive r(n) as (select 1 union all select n + 1 from r) select hex(zeroblob(100000)) from r",
    ])
    func queryWithLargeValuesFailsAtTheMemoryLimit(sql: String) async throws {
        let stage = try Stage(memoryLimit: 8 << 20)
        stage.saveTickets(1...3000)
        var query = CacheQuery(sql)
        (query.maxRows, query.timeout) = (100_000, 60_000)
        do throws(QueryError) {
            _ = try await stage.answer(query)
            Issue.record("the statement succeeded")
        } catch {
            guard case .limit(.memory, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(try await stage.rows("select count(*) from ticket") == "[[3000]]")
    }

    @Test func cancelledQueryEnds() async throws {
        let stage = try Stage()
        let running = Task { () -> QueryError? in
            var query = CacheQuery(Self.endless)
            query.timeout = 60_000
            do throws(QueryError) { _ = try await stage.answer(query) } catch { return error }
            return nil
        }
        running.cancel()
        #expect(await running.value == .cancelled)
    }

    @Test func ninthWaitingQueryIsRefused() async throws {
        let stage = try Stage()
        let endless = Task { () -> Void in
            var query = CacheQuery(Self.endless)
            query.timeout = 60_000
            _ = try? await stage.answer(query)
        }
        let others = (0..<30).map { _ in Task { await stage.error("select 1") } }
        var refused = 0
        // The refused queries return while the endless one still runs.
        for other in others.suffix(1) { if await other.value == .busy { refused += 1 } }
        endless.cancel()
        for other in others.dropLast() where await other.value == .busy { refused += 1 }
        #expect(refused >= 20)
        #expect(try await stage.rows("select 1") == "[[1]]")
    }
}
