import JSON
import System
import TestSupport
import Testing

@testable import larder

/// Tests the line about the tables that `larder sql` prints.
@Suite(.limited) struct CoverageTextTests {
    private func text(_ result: JSONValue) throws -> CoverageText {
        CoverageText(tables: try SQLFailureTests.tables(), now: Timestamp(milliseconds: 10_800_000))
    }

    @Test(
        arguments: [
            (["name": "t", "rows": 1, "coverage": "synced", "asOf": "1970-01-01T00:00:00Z"], "1 item, synced 3 h ago"),
            (
                ["name": "t", "rows": 2, "coverage": "synced", "deletions": "unknown", "asOf": "1970-01-01T02:59:59Z"],
                "2 items, synced just now, deleted items may remain"
            ),
            (["name": "t", "rows": 2, "coverage": "parts"], "2 items, maybe not all"),
            (
                ["name": "t", "rows": 2, "coverage": "parts", "oldest": "1970-01-01T00:00:00Z", "damaged": 1],
                "2 items, maybe not all, the oldest 3 h old, 1 damaged row left out"
            ),
            (
                ["name": "t", "rows": 2, "coverage": "parts", "oldest": "1970-01-01T02:59:59Z"],
                "2 items, maybe not all, fetched just now"
            ),
            (["name": "t", "rows": 0, "coverage": "empty"], "nothing is cached"),
        ] as [(JSONValue, String)])
    func tableHasItsCoverageAndAge(table: JSONValue, text: String) throws {
        let result: JSONValue = ["columns": [], "rows": [], "truncated": false, "tables": [table]]
        #expect(try self.text(result).text(SQLResult(result)) == "0 rows; t: \(text)")
    }

    @Test func incompleteTableHasTheCommandThatCompletesIt() throws {
        let tables: JSONValue = [
            ["name": "character", "rows": 1, "coverage": "parts"], ["name": "issue", "rows": 0, "coverage": "empty"],
        ]
        let result: JSONValue = ["columns": ["a"], "rows": [[1]], "tables": tables]
        let line = try text(result).text(SQLResult(result))
        #expect(
            line
                == "1 row; character: 1 item, maybe not all (larder sync character --catalog my.jsonc); issue: nothing"
                + " is cached (larder sync issue owner=VALUE --catalog my.jsonc)")
    }

    @Test func rowsBeyondTheLimitAreReported() throws {
        let result: JSONValue = ["columns": ["a"], "rows": [[1], [2]], "truncated": true, "tables": []]
        let text = try text(result)
        #expect(text.text(SQLResult(result)) == "2 rows, more: --max-rows N")
        #expect(text.warnings(SQLResult(result)) == ["only the first 2 rows: --max-rows N prints more"])
        #expect(text.warnings(SQLResult(["columns": ["a"], "rows": [[1]]])) == [])
    }

    @Test func equalNamesOfColumnsAreNumbered() {
        let result = SQLResult(["columns": ["a", "A", "a_2", "b"], "rows": [[1, 2, 3, nil]]])
        #expect(result.columns == ["a", "A_2", "a_2_2", "b"])
        #expect(result.rows == [["a": 1, "A_2": 2, "a_2_2": 3, "b": nil]])
    }
}
