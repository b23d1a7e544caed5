import JSON
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests the columns of the tables, and the values that they show.
@Suite(.limited) struct QueryColumnTests {
    typealias Entries = LocalEntries
    typealias Stage = QueryStage

    private func columns(_ stage: QueryStage, _ table: String) async throws -> String {
        try await stage.rows(
            "select group_concat(name || ' ' || type, ', ') from larder_columns where table_name = ?",
            .positions([.string(table)]))
    }

    @Test func columnsAreInTheOrderOfTheCatalog() async throws {
        let stage = try Stage()
        let common = "_scope TEXT, _fetched_at TEXT, _stale INTEGER, _partial INTEGER, _json TEXT"
        #expect(
            try await columns(stage, "ticket") == """
                [["id INTEGER, title TEXT, state TEXT, votes INTEGER, price REAL, urgent INTEGER, at TEXT, \
                labels TEXT, owner TEXT, more TEXT, _id INTEGER, \(common)"]]
                """)
        #expect(
            try await columns(stage, "note-book")
                == #"[["id TEXT, text TEXT, team TEXT, year INTEGER, _id TEXT, \#(common)"]]"#)
        #expect(try await columns(stage, "raw") == #"[["_id TEXT, \#(common)"]]"#)
        // SQLite ignores the case of names.
        #expect(try await columns(stage, "user") == #"[["id TEXT, Name TEXT, name_2 TEXT, _id TEXT, \#(common)"]]"#)
        #expect(
            try await stage.rows("select name, field from larder_columns where name = 'name_2'")
                == #"[["name_2","name"]]"#)
    }

    @Test func valuesHaveTheTypesOfTheFields() async throws {
        let stage = try Stage()
        let json = #"""
            {"id":7,"title":"a \"b\" \u00e9","state":"open","votes":-5,"price":1.50,"urgent":true,"at":"2026-01-31T09:05:00.5Z","labels":["x","y"],"owner":null,"more":{"a":1}}
            """#
        stage.save(Entries.item("7", of: Stage.ticket, json: json))
        let row = try await stage.rows("select * from ticket")
        #expect(
            row == #"""
                [[7,"a \"b\" é","open",-5,1.5,1,"2026-01-31T09:05:00.500000Z","[\"x\",\"y\"]",null,"{\"a\":1}",7,null,"1970-01-01T00:00:01.000000Z",0,0,\#(JSONValue.string(json).text)]]
                """#)
        #expect(
            try await stage.rows("select typeof(price), typeof(at), labels ->> '$[1]', more ->> 'a' from ticket")
                == #"[["real","text","y",1]]"#)
        #expect(
            try await stage.rows("select j.value from ticket, json_each(labels) j") == #"[["x"],["y"]]"#)
    }

    @Test(arguments: [
        ("2026-01-31T09:05:00Z", "2026-01-31T09:05:00.000000Z"),
        ("2026-01-31T09:05:00.123456789Z", "2026-01-31T09:05:00.123456Z"),
        ("tomorrow", "tomorrow"),
    ])
    func dateHasMicroseconds(date: String, shown: String) async throws {
        let stage = try Stage()
        stage.save(Entries.item("1", of: Stage.ticket, json: #"{"id":1,"at":"\#(date)"}"#))
        #expect(try await stage.rows("select at from ticket") == #"[["\#(shown)"]]"#)
    }

    @Test func integerBeyond64BitsIsText() async throws {
        let stage = try Stage()
        let (largest, larger) = ("9223372036854775807", "9223372036854775808")
        for id in [largest, larger] {
            stage.save(Entries.item(id, of: Stage.ticket, json: #"{"id":\#(id),"votes":\#(id)}"#))
        }
        #expect(
            try await stage.rows("select id, votes, typeof(_id) from ticket order by typeof(id)")
                == #"[[\#(largest),\#(largest),"integer"],["\#(larger)","\#(larger)","text"]]"#)
        #expect(try await stage.rows("select votes from ticket where _id = \(largest)") == "[[\(largest)]]")
        #expect(try await stage.rows("select votes from ticket where _id = '\(larger)'") == #"[["\#(larger)"]]"#)
    }

    /// An incomplete item lacks fields, so that the order of the remaining ones has gaps.
    @Test func missingFieldsAreNull() async throws {
        let stage = try Stage()
        stage.save(Entries.item("1", of: Stage.ticket, isPartial: true, json: #"{"id":1,"owner":"x"}"#))
        #expect(
            try await stage.rows("select title, owner, _partial, votes, id from ticket") == #"[[null,"x",1,null,1]]"#)
    }

    @Test func scopeIsShownInColumns() async throws {
        let stage = try Stage()
        stage.save(
            Entries.item(
                "a", of: Stage.notes(team: "x", year: 1), json: #"{"id":"a"}"#, at: stage.clock.now().milliseconds))
        #expect(
            try await stage.rows(#"select team, year, _scope ->> 'year' from "note-book""#) == #"[["x",1,1]]"#)
    }

    @Test func tablesAreListed() async throws {
        let stage = try Stage()
        stage.saveTickets(1...3)
        #expect(
            try await stage.rows("select name, rows, coverage, synced_at from larder_tables order by rows desc, name")
                == #"""
                [["ticket",3,"parts",null],["note-book",0,"empty",null],["raw",0,"empty",null],["user",0,"empty",null]]
                """#)
    }

    @Test func namesThatSQLiteCannotDistinguishGetNumbers() throws {
        var names = UniqueNames(taken: ["_id"])
        #expect(["a", "A", "a", "_ID", "é"].map { names.add($0) } == ["a", "A_2", "a_3", "_ID_2", "é"])
        let schema = try QueryStage.schema(
            #"""
            {
              "larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {
                "Book": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}},
                "book": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}},
                "sqlite_x": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}},
                "larder_tables": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}}
              }
            }
            """#)
        #expect(
            Set(schema.names.values)
                == ["Book", "book_2", "_sqlite_x", "larder_tables_2"])
    }
}
