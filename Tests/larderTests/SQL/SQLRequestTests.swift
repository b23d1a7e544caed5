import JSON
import TestSupport
import Testing

@testable import larder

/// Tests how the command line of `larder sql` becomes a statement and its parameters.
@Suite(.limited) struct SQLRequestTests {
    @Test(
        arguments: [
            ([], nil), (["7", "open", "null", #""7""#], [7, "open", nil, "7"]),
            (["id=7", "_s=a=b"], ["id": 7, "_s": "a=b"]),
            // The text before `=` is not a name.
            (["https://a.test?b=c", "=x", "1a=b"], ["https://a.test?b=c", "=x", "1a=b"]),
            ([#""a=b""#], ["a=b"]),
        ] as [([String], JSONValue?)])
    func argumentsAfterTheStatementAreParameterValues(words: [String], params: JSONValue?) throws {
        let request = try SQLRequest(["sql", "select ?"] + words)
        #expect(request.statement == "select ?" && request.params == params)
    }

    @Test func commandLineWithoutAQueryStartsAPrompt() throws {
        #expect(try SQLRequest(["sql"]).isPrompt)
        #expect(try !SQLRequest(["sql", "-"]).isPrompt && !SQLRequest(["sql", "select 1"]).isPrompt)
    }

    @Test func dashReadsTheQueryFromStdin() throws {
        #expect(try SQLRequest(["sql", "-"]).statement == nil)
        #expect(try SQLRequest(["sql", "-", "7"]).params == [7])
    }

    @Test(
        arguments: [
            (["select", "1"], "the query must be one argument; put it in quotes: larder sql 'select ...'"),
            (["select ?", "a=1", "a=2"], "'a' is given twice; pass it once"),
            (
                ["select ?", "a=1", "2"],
                "the values of a query have either names or none; write a value that contains '=' in double quotes, as"
                    + " in '\"a=b\"'"
            ),
        ] as [([String], String)])
    func invalidCommandLineIsRefused(words: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try SQLRequest(["sql"] + words) }
    }

    @Test func tableHasFewerRowsByDefault() {
        #expect(SQLOptions().maxRows(in: .table) == 1000 && SQLOptions().maxRows(in: .record) == 1000)
        #expect(SQLOptions().maxRows(in: .csv) == 100_000)
        #expect(SQLOptions(maxRows: 7).maxRows(in: .csv) == 7 && SQLOptions(maxRows: 7).maxRows(in: .table) == 7)
    }

    @Test func optionsBecomeParams() {
        var params = JSONObject()
        SQLOptions().add(to: &params)
        #expect(params == JSONObject())
        SQLOptions(timeout: 1500, coverage: .synced).add(to: &params)
        #expect(JSONValue.object(params) == ["timeout": .number("1.5"), "coverage": "synced"])
    }
}
