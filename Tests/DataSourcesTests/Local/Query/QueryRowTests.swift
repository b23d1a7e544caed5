import JSON
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests which items the tables contain, and how conditions find them.
@Suite(.limited) struct QueryRowTests {
    typealias Entries = LocalEntries
    typealias Stage = QueryStage

    @Test func queryIncludesPendingWrites() async throws {
        let stage = try Stage()
        stage.saveTickets(1...3)
        #expect(try await stage.rows("select count(*) from ticket") == "[[3]]")
        stage.source.remove(ItemKey(resource: Stage.ticket, id: "2"))
        #expect(try await stage.rows("select id from ticket order by id") == "[[1],[3]]")
    }

    @Test func queryWithoutAFileReadsMemory() async throws {
        let items = [
            Entries.item("1", of: Stage.ticket), Entries.item("2", of: Stage.ticket, isPartial: true),
            Entries.item("1", of: Entries.character),
        ]
        let stage = try Stage(hasFile: false, memory: items)
        #expect(try await stage.rows("select id, _partial from ticket order by id") == "[[1,0],[2,1]]")
    }

    @Test func itemsWithAnotherFingerprintAreLeftOut() async throws {
        let stage = try Stage()
        let other = ResourceKey(name: "ticket", fingerprint: .init(high: 9, low: 9))
        stage.save(Entries.item("1", of: other), Entries.item("2", of: Stage.ticket))
        #expect(try await stage.rows("select id from ticket") == "[[2]]")
        let scope = Stage.notes(team: "x", year: 1)
        // A forged scope: its name does not match its fingerprint.
        let forged = ResourceKey(name: scope.name, fingerprint: .init(high: scope.fingerprint.high, low: 5))
        stage.save(Entries.item("a", of: forged, json: #"{"id":"a"}"#, at: stage.clock.now().milliseconds))
        #expect(try await stage.rows(#"select count(*) from "note-book""#) == "[[0]]")
    }

    @Test func wholeItemIsShownInsteadOfTheIncompleteOne() async throws {
        let stage = try Stage()
        for id in ["1", "2"] {
            stage.save(Entries.item(id, of: Stage.ticket, isPartial: true, json: #"{"id":\#(id)}"#))
        }
        stage.save(Entries.item("2", of: Stage.ticket, json: #"{"id":2,"title":"whole"}"#))
        let all = #"[[1,null,1],[2,"whole",0]]"#
        #expect(try await stage.rows("select id, title, _partial from ticket order by id") == all)
        #expect(try await stage.rows("select title from ticket where _id = 2") == #"[["whole"]]"#)
        #expect(try await stage.rows("select _partial from ticket where id = 1") == "[[1]]")
        #expect(try await stage.answer("select 1 from ticket").tables.map(\.rows) == [2])
        // Many rows of another resource make the cursor use the index.
        stage.source.save(LocalChange(items: (0..<50).map { Entries.item(String($0), of: Entries.character) }))
        stage.save(Entries.item("3", of: Stage.ticket, isPartial: true, json: #"{"id":3}"#))
        #expect(try await stage.rows("select id, _partial from ticket order by id") == "[[1,1],[2,0],[3,1]]")
    }

    @Test func itemsBeyondKeepForAreLeftOut() async throws {
        let stage = try Stage()
        let key = Stage.notes(team: "x", year: 1)
        let now = stage.clock.now().milliseconds
        for (id, age) in [("a", 0), ("b", 3_600_000), ("c", 86_400_000)] as [(String, Int64)] {
            stage.save(Entries.item(id, of: key, json: #"{"id":"\#(id)"}"#, at: now - age))
        }
        #expect(try await stage.rows(#"select _id, _stale from "note-book" order by 1"#) == #"[["a",0],["b",1]]"#)
    }

    @Test func recentSyncKeepsItemsFresh() async throws {
        let stage = try Stage()
        let key = Stage.notes(team: "x", year: 1)
        let old = stage.clock.now().milliseconds - 90_000_000
        let store = stage.source.syncStore(clock: stage.clock)
        let ticket = try #require(await store.begin(SyncSet(resource: key, list: "{}")))
        var part = SyncedPart(items: [Entries.item("a", of: key, json: #"{"id":"a"}"#, at: old)])
        part.mark = nil
        _ = try await store.store(part, ticket) { false }
        var end = SyncEnd()
        (end.syncedAt, end.isWhole, end.continues) = (stage.clock.now(), true, false)
        _ = try await store.end(ticket, end)
        #expect(try await stage.rows(#"select _id, _stale from "note-book""#) == #"[["a",0]]"#)
    }

    @Test func invalidatedItemIsStale() async throws {
        let stage = try Stage()
        stage.saveTickets(1...2)
        _ = try await stage.source.invalidate(CacheSelection(resource: "ticket", ids: ["2"]))
        #expect(try await stage.rows("select id, _stale from ticket order by id") == "[[1,0],[2,1]]")
    }

    @Test(arguments: ["id", "_id"]) func conditionOnTheIDFindsOneItem(column: String) async throws {
        let stage = try Stage()
        stage.saveTickets([1, 7, 70])
        for value in ["7", "'7'", "7.0", "' 7'", "(select 7)"] {
            #expect(try await stage.rows("select title from ticket where \(column) = \(value)") == #"[["t7"]]"#)
        }
        for value in ["7.5", "'x'", "x'37'", "null", "8", "1e300"] {
            #expect(try await stage.rows("select title from ticket where \(column) = \(value)") == "[]")
        }
        #expect(
            try await stage.rows("select title from ticket where \(column) in (70, 1) order by 1")
                == #"[["t1"],["t70"]]"#)
    }

    /// An index would find fewer rows than SQLite's comparison of texts with numbers.
    @Test func textIDIsComparedAsSQLiteDoes() async throws {
        let stage = try Stage()
        stage.saveTickets([7])
        for id in ["7", "x", "X"] { stage.save(Entries.item(id, of: Stage.user, json: #"{"id":"\#(id)"}"#)) }
        #expect(try await stage.rows("select _id from user where _id = 7") == #"[["7"]]"#)
        #expect(try await stage.rows("select u._id from ticket t join user u on u._id = t.id") == #"[["7"]]"#)
        stage.save(Entries.item("007", of: Stage.user, json: #"{"id":"007"}"#))
        #expect(
            try await stage.rows("select u._id from ticket t join user u on u._id = t.id order by 1")
                == #"[["007"],["7"]]"#)
        #expect(
            try await stage.rows("select _id from user where _id = 'x' collate nocase order by 1")
                == #"[["X"],["x"]]"#)
    }

    @Test func conditionOnTheScopeSelectsItems() async throws {
        let stage = try Stage()
        let now = stage.clock.now().milliseconds
        for (team, year) in [("x", 1), ("x", 2), ("y", 1)] {
            stage.save(Entries.item("a", of: Stage.notes(team: team, year: year), json: #"{"id":"a"}"#, at: now))
        }
        let find = #"select team || year from "note-book" where "#
        #expect(try await stage.rows("\(find) team = 'x' order by 1") == #"[["x1"],["x2"]]"#)
        #expect(try await stage.rows("\(find) year = '1' and _id = 'a' order by 1") == #"[["x1"],["y1"]]"#)
        #expect(try await stage.rows("\(find) team = 'x' and year = 2 and _id = 'a'") == #"[["x2"]]"#)
        #expect(try await stage.rows("\(find) team = 'z'") == "[]")
    }

    @Test(arguments: ["select count(*) from ticket", "select title from ticket where id = 2"])
    func damagedRowIsLeftOutAndCounted(sql: String) async throws {
        let stage = try Stage()
        stage.saveTickets(1...3)
        try await stage.change("UPDATE items SET json = CAST(replace(json, 't2', 't9') AS BLOB)")
        let answer = try await stage.answer(sql)
        #expect(answer.rows == Array((sql.contains("count") ? "[[2]]" : "[]").utf8))
        #expect(answer.tables.map(\.damaged) == [1] && answer.tables.map(\.coverage) == [.parts])
        // The row has been removed from the file.
        #expect(try await stage.answer(sql).tables.map(\.damaged) == [0])
        #expect(await stage.source.statistics().damaged == 1)
    }

    @Test func replacedFileIsOpenedAgain() async throws {
        let stage = try Stage()
        stage.saveTickets(1...3)
        #expect(try await stage.rows("select count(*) from ticket") == "[[3]]")
        await stage.source.flush()
        for suffix in ["", "-wal", "-shm"] { unlink(stage.folder.file("cache.sqlite\(suffix)").cString) }
        stage.saveTickets(1...2)
        #expect(try await stage.rows("select count(*) from ticket") == "[[2]]")
    }
}
