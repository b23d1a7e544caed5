import Catalog
import JSON
import Mocks
import TestSupport
import Testing

@testable import larder

/// Tests what `larder sql` prints about failed statements.
@Suite(.limited) struct SQLFailureTests {
    static func tables() throws -> SQLTables {
        let issue = try CatalogDecoder.decode(
            Array(
                """
                {"larder": 1, "apis": {"t": {"baseURL": "http://a.test"}}, "resources": {"issue": {
                    "api": "t", "id": "integer", "scope": {"owner": "string", "state": {"type": "string", "default": "open"}},
                    "rest": {"list": {"path": "/{owner}/{state}"}}}}}
                """.utf8), secrets: .empty
        ).resources[0]
        return SQLTables(["character": try RickAndMorty.rest.resource("character"), "issue": issue], ["my.jsonc"])
    }

    private static func lines(_ error: JSONValue?, _ statement: String = "select 1") throws -> [String] {
        SQLFailure(error, statement, try tables()).lines.split(separator: "\n").map(String.init)
    }

    private static func invalid(_ message: String, at offset: Int? = nil) -> JSONValue {
        let place = offset.map { " (at byte \($0) of 'sql')" } ?? ""
        return [
            "code": -32602, "message": .string(message + place),
            "data": .object(JSONObject(offset.map { [("offset", .integer($0))] } ?? [])),
        ]
    }

    @Test func caretPointsToTheErrorInTheStatement() throws {
        let lines = try Self.lines(Self.invalid("near \"frm\": syntax error", at: 9), "select 1\nfrm x\n")
        #expect(lines == ["larder: near \"frm\": syntax error", "  frm x", "  ^"])
        #expect(
            SQLFailure.lines(of: "select 'ü', x", at: 13) == ["select 'ü', x", String(repeating: " ", count: 12) + "^"])
        #expect(SQLFailure.lines(of: "\tx", at: 1) == [" x", " ^"])
        #expect(SQLFailure.lines(of: "a", at: 1) == ["a", " ^"] && SQLFailure.lines(of: "", at: 9) == ["", "^"])
    }

    @Test func longLineIsCutAroundTheError() {
        let long = String(repeating: "a", count: 200)
        #expect(SQLFailure.lines(of: long + "b" + long, at: 200).map(TextWidth.of) == [70, 37])
        #expect(SQLFailure.lines(of: long, at: 3) == [String(repeating: "a", count: 69) + "…", "   ^"])
    }

    @Test(
        arguments: [
            (
                "no such table: charcter",
                "did you mean 'character'? larder sql 'select name from larder_tables' --catalog my.jsonc lists the tables"
            ),
            (
                "no such table: zzzzzzzz",
                "larder sql 'select name from larder_tables' --catalog my.jsonc lists the tables"
            ),
            (
                "no such column: nme",
                "larder sql 'select table_name, name from larder_columns' --catalog my.jsonc lists the columns"
            ),
            (
                "the statement has 1 parameter, but 'params' has 0 values",
                "write the values after the query: larder sql QUERY VALUE..., or NAME=VALUE..."
            ),
            (
                "not authorized",
                "a query can only read the tables of the catalog: 'larder help sql' describes them"
            ),
            ("incomplete input", nil),
        ] as [(String, String?)])
    func faultHasAdvice(message: String, advice: String?) throws {
        #expect(try Self.lines(Self.invalid(message)) == ["larder: \(message)"] + (advice.map { ["  \($0)"] } ?? []))
    }

    @Test func missingCopiesAreReportedWithTheCommandsThatMakeThem() throws {
        let error: JSONValue = [
            "message": "no complete, recent copy of 'character', 'issue': call the methods in 'data.calls'",
            "data": [
                "kind": "notSynced", "tables": ["character", "issue"],
                "calls": [
                    ["method": "character/sync", "params": JSONValue.object(JSONObject())],
                    ["method": "issue/sync", "params": ["owner": "a b"]],
                    ["method": "issue/sync", "params": JSONValue.object(JSONObject())],
                ],
            ],
        ]
        #expect(
            try Self.lines(error) == [
                "larder: notSynced: no complete, recent copy of 'character', 'issue'",
                "  larder sync character --catalog my.jsonc", "  larder sync issue owner='a b' --catalog my.jsonc",
                "  larder sync issue owner=VALUE --catalog my.jsonc",
            ])
        let none: JSONValue = ["message": "x", "data": ["kind": "notSynced", "tables": ["t"], "calls": []]]
        #expect(try Self.lines(none).last == "  these resources have no list that can be synced")
    }

    @Test(
        arguments: [
            ("time", "the query exceeded its time limit", "--timeout 30s allows more time, up to 60s"),
            ("memory", "the query exceeded its memory limit", "--memory-query 1GiB allows more memory"),
            ("memory", "a text of the query is longer than 4 MiB", nil),
        ] as [(String, String, String?)])
    func limitIsReportedWithItsOption(limit: String, message: String, advice: String?) throws {
        let error: JSONValue = ["message": .string(message), "data": ["kind": "queryLimit", "limit": .string(limit)]]
        #expect(try Self.lines(error) == ["larder: queryLimit: \(message)"] + (advice.map { ["  \($0)"] } ?? []))
    }

    @Test func otherErrorHasItsKind() throws {
        #expect(try Self.lines(["message": "x", "data": ["kind": "busy"]]) == ["larder: busy: x"])
        #expect(try Self.lines(nil) == ["larder: no reply"])
    }
}
