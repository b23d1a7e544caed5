import JSON
import Model
import TestSupport
import Testing

@testable import DataSources

/// Tests the errors for answers without the expected array, which advise how to correct the catalog.
@Suite(.limited) struct ListReaderTests {
    /// Returns the error message for an answer; nil if the reader finds a list.
    private func message(_ selector: String, _ json: String, prefix: String = "", allowsAbsence: Bool = false) throws
        -> String?
    {
        var reader = ListReader(url: "", attempts: 1, redactor: .none)
        reader.prefix = prefix
        let answer = try JSONDocument(Array(json.utf8)).root
        let selector = try #require(JSONSelector(selector))
        do throws(APIError) {
            _ = try reader.items(at: selector, in: answer, allowsAbsence: allowsAbsence)
            return nil
        } catch {
            #expect(error.kind == .decodingFailed && error.path?.hasPrefix(prefix) == true)
            return error.message
        }
    }

    private static let empty = "if this means an empty list, set \"absent\": \"empty\""

    @Test(
        arguments: [
            ("rows", #"{"rows":[]}"#, nil), ("", "[]", nil),
            ("rows", "[1]", "expected an array at 'rows', but the body itself is an array; remove 'items'"),
            ("rows", #"{"Rows":[]}"#, "expected an array at 'rows', but nothing is there; did you mean 'Rows'?"),
            (
                "rows", #"{"data":{"hits":[]}}"#,
                "expected an array at 'rows', but nothing is there; an array is at 'data.hits'"
            ),
            (
                "rows", #"{"a":{"b":{"c":[]}}}"#, "expected an array at 'rows', but nothing is there; \(empty)"
            ),
            (
                "rows", #"{"a":[],"b":{"c":[],"d":1},"e":[],"f":[]}"#,
                "expected an array at 'rows', but nothing is there; arrays are at 'a', 'b.c', 'e'"
            ),
            ("rows", #"{"rows":null}"#, "expected an array at 'rows', but null is there; \(empty)"),
            ("rows", #"{"rows":1}"#, "expected an array at 'rows'; correct \"items\" in the catalog"),
            (
                "data", #"{"data":{"x":1}}"#,
                "expected an array at 'data', but it is an object; for a map of items, use 'data.*'"
            ),
            (
                "", #"{"x":[]}"#,
                "expected an array at '', but it is an object; an array is at 'x'; for a map of items, use '*'"
            ),
            ("rows.*", #"{"rows":1}"#, "expected an array or an object at 'rows'; correct \"items\" in the catalog"),
        ] as [(String, String, String?)])
    func errorAdvisesHowToCorrectTheSelector(selector: String, json: String, expected: String?) throws {
        #expect(try message(selector, json) == expected)
    }

    @Test func errorForGraphQLContainsThePathInTheAnswer() throws {
        let expected = "expected an array at 'data.rows', but null is there; \(Self.empty)"
        #expect(try message("rows", #"{"rows":null}"#, prefix: "data.") == expected)
        #expect(
            try message("rows.*", #"{"rows":1}"#, prefix: "data.")
                == "expected an array or an object at 'data.rows'; correct \"items\" in the catalog")
    }

    @Test(arguments: [(#"{}"#, true), (#"{"rows":null}"#, true), (#"{"rows":1}"#, false), (#"{"rows":{}}"#, false)])
    func missingListCountsAsEmptyOnlyIfTheCatalogAllowsIt(json: String, isEmpty: Bool) throws {
        #expect(try (message("rows", json, allowsAbsence: true) == nil) == isEmpty)
        #expect(try message("rows", json) != nil)
    }

    @Test func nullElementsAreDroppedOrKept() throws {
        let reader = ListReader(url: "", attempts: 1, redactor: .none)
        let answer = try JSONDocument(Array(#"{"rows":{"a":1,"b":null}}"#.utf8)).root
        let selector = try #require(JSONSelector("rows.*"))
        #expect(try reader.items(at: selector, in: answer).count == 1)
        #expect(try reader.items(at: selector, in: answer, keepsNulls: true).count == 2)
    }
}
