import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the reports about the tables of a query.
@Suite(.limited) struct QueryCoverageTests {
    typealias Entries = LocalEntries
    typealias Stage = QueryStage

    /// Runs a sync that reads a whole list, and returns the time of the sync.
    @discardableResult
    private func sync(
        _ stage: QueryStage, _ key: ResourceKey, ids: [String], list: String = "{}", isWhole: Bool = true
    ) async throws -> Timestamp {
        stage.clock.advance(milliseconds: 1000)
        let store = stage.source.syncStore(clock: stage.clock)
        let ticket = try #require(await store.begin(SyncSet(resource: key, list: list)))
        let items = ids.map {
            Entries.item($0, of: key, json: #"{"id":"\#($0)"}"#, at: stage.clock.now().milliseconds)
        }
        _ = try await store.store(SyncedPart(items: items), ticket) { false }
        var end = SyncEnd()
        (end.syncedAt, end.isWhole, end.continues) = (stage.clock.now(), isWhole, false)
        _ = try await store.end(ticket, end)
        return stage.clock.now()
    }

    private func report(_ stage: QueryStage, _ table: String) async throws -> QueryTableReport {
        try #require(await stage.answer("select * from \(table.quotedName)").tables.first)
    }

    @Test func coverageOfATableDependsOnItsLocalCopies() async throws {
        let stage = try Stage()
        #expect(try await report(stage, "user").coverage == .empty)
        stage.save(Entries.item("a", of: Stage.user, json: #"{"id":"a"}"#, at: 5000))
        stage.save(Entries.item("b", of: Stage.user, json: #"{"id":"b"}"#, at: 7000))
        let parts = try await report(stage, "user")
        #expect(parts.coverage == .parts && parts.rows == 2 && parts.syncedAt == nil)
        #expect(parts.oldest?.milliseconds == 5000 && parts.newest?.milliseconds == 7000)
        try await sync(stage, Stage.user, ids: ["a"], list: #"{"name":"x"}"#)
        #expect(try await report(stage, "user").coverage == .parts)
        try await sync(stage, Stage.user, ids: ["a"], isWhole: false)
        #expect(try await report(stage, "user").coverage == .parts)
        let time = try await sync(stage, Stage.user, ids: ["a", "b"])
        let synced = try await report(stage, "user")
        #expect(synced.coverage == .synced && synced.syncedAt == time && synced.deletions == .walked)
        stage.source.remove(ItemKey(resource: Stage.user, id: "b"))
        #expect(try await report(stage, "user").coverage == .parts)
        // A complete copy of an empty list is a synced table.
        try await sync(stage, Stage.ticket, ids: [])
        #expect(try await report(stage, "ticket").coverage == .synced)
    }

    @Test func everyScopeMustBeSynced() async throws {
        let stage = try Stage()
        let (first, second) = (Stage.notes(team: "x", year: 1), Stage.notes(team: "y", year: 1))
        let time = try await sync(stage, first, ids: ["a"])
        #expect(try await report(stage, "note-book").syncedAt == time)
        stage.save(Entries.item("b", of: second, json: #"{"id":"b"}"#, at: stage.clock.now().milliseconds))
        #expect(try await report(stage, "note-book").coverage == .parts)
        try await sync(stage, second, ids: ["b"])
        // The oldest copy determines the time.
        #expect(try await report(stage, "note-book").syncedAt == time)
    }

    /// The table does not show items that `keepFor` excludes.
    @Test func copyWhoseItemsAreTooOldIsNotComplete() async throws {
        let (stage, key) = (try Stage(), Stage.notes(team: "x", year: 1))
        try await sync(stage, key, ids: ["a"])
        stage.clock.advance(milliseconds: 86_400_000 - 1)
        #expect(try await report(stage, "note-book").coverage == .synced)
        stage.clock.advance(milliseconds: 1)
        let late = try await report(stage, "note-book")
        #expect(late.coverage == .parts && late.syncedAt == nil)
        var query = CacheQuery(#"select 1 from "note-book""#)
        query.needsSync = true
        await #expect(throws: QueryError.self) { try await stage.answer(query) }
    }

    @Test func expressionWithTheNameOfATableIsNotThatTable() async throws {
        let stage = try Stage()
        stage.saveTickets(1...2)
        let answer = try await stage.answer("with user(id) as (select 1) select count(*) from user")
        #expect(answer.rows == Array("[[1]]".utf8) && answer.tables.isEmpty)
        #expect(try await stage.answer("select count(*) from ticket").tables.map(\.name) == ["ticket"])
    }

    @Test func errorOfAQueryNamesTheScopesToSync() async throws {
        let stage = try Stage()
        var query = CacheQuery(#"select 1 from "note-book", user, raw"#)
        query.needsSync = true
        try await sync(stage, Stage.notes(team: "x", year: 1), ids: ["a"])
        // The items of this scope were removed, so it has neither items nor a copy.
        try await sync(stage, Stage.notes(team: "z", year: 3), ids: ["c"])
        _ = try await stage.source.remove(CacheSelection(resource: "note-book", ids: ["c"]))
        stage.save(
            Entries.item(
                "b", of: Stage.notes(team: "y", year: 2), json: #"{"id":"b"}"#, at: stage.clock.now().milliseconds))
        do throws(QueryError) {
            _ = try await stage.answer(query)
            Issue.record("the query succeeded")
        } catch {
            guard case .notSynced(let tables) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(tables.map(\.resource).sorted() == ["note-book", "raw", "user"])
            let notes = try #require(tables.first { $0.resource == "note-book" })
            #expect(notes.scopes.map { JSONValue.object($0).text } == [#"{"team":"y","year":2}"#] && notes.hasList)
            #expect(tables.first { $0.resource == "raw" }?.hasList == false)
        }
    }

    @Test func missingParameterIsReportedBeforeAMissingCopy() async throws {
        let stage = try Stage()
        var query = CacheQuery("select ? from user")
        query.needsSync = true
        await #expect(
            throws: QueryError.statement("the statement has 1 parameter, but 'params' has 0 values", offset: nil)
        ) {
            try await stage.answer(query)
        }
    }

    @Test(arguments: [(nil, true), (10_000, true), (500, false)] as [(Int?, Bool)])
    func copyMustBeYoungerThanMaxAge(maxAge: Int?, isAccepted: Bool) async throws {
        let stage = try Stage()
        try await sync(stage, Stage.user, ids: ["a"])
        stage.clock.advance(milliseconds: 1000)
        var query = CacheQuery("select _id from user")
        (query.needsSync, query.maxAge) = (true, maxAge)
        if isAccepted {
            #expect(try await stage.answer(query).count == 1)
        } else {
            await #expect(throws: QueryError.self) { try await stage.answer(query) }
        }
    }
}
