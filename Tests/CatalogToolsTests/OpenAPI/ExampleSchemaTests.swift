import JSON
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct ExampleSchemaTests {
    private func schema(_ values: String) throws -> String {
        try JSONDocument(Array(values.utf8)).withRoot { root in
            var writer = JSONWriter()
            ExampleSchema.write(Array(root.elements), to: &writer)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            ("[]", "{}"), ("[null]", #"{"nullable":true}"#), ("[1, null]", #"{"nullable":true,"type":"integer"}"#),
            ("[1, 2]", #"{"type":"integer"}"#), ("[1, 2.5]", #"{"type":"number"}"#), ("[1.5]", #"{"type":"number"}"#),
            ("[true, false]", #"{"type":"boolean"}"#), (#"[1, "a"]"#, "{}"), (#"["a"]"#, #"{"type":"string"}"#),
            (#"["2026-01-31T09:05:00Z"]"#, #"{"type":"string","format":"date-time"}"#),
            (#"["2026-01-31T09:05:00Z", "soon"]"#, #"{"type":"string"}"#),
            (#"["http://a.test/1", "x"]"#, #"{"type":"string","example":"http://a.test/1"}"#),
            (#"["/things/1"]"#, #"{"type":"string","example":"/things/1"}"#), ("[[]]", #"{"type":"array"}"#),
            ("[[1], [null]]", #"{"type":"array","items":{"nullable":true,"type":"integer"}}"#),
            ("[{}]", #"{"type":"object","properties":{}}"#),
            (
                #"[{"a": 1}, {"a": null, "b": true}]"#,
                #"{"type":"object","properties":{"a":{"nullable":true,"type":"integer"},"b":{"type":"boolean"}}}"#
            ),
        ])
    func schemaIsInferredFromExampleValues(values: String, expected: String) throws {
        #expect(try schema(values) == expected)
    }

    @Test func onlyTwentyElementsOfAnArrayAreRead() throws {
        func array(_ count: Int) -> String {
            "[[" + String(repeating: "1, ", count: count) + "true]]"
        }
        #expect(try schema(array(20)) == #"{"type":"array","items":{"type":"integer"}}"#)
        #expect(try schema(array(19)) == #"{"type":"array","items":{}}"#)
    }

    @Test func valuesNestedMoreThanEightLevelsAreNotRead() throws {
        let values = String(repeating: "[", count: 9) + "1" + String(repeating: "]", count: 9)
        let text = try schema(values)
        #expect(text.count(of: #""type":"array""#) == 8 && !text.contains("integer"))
        #expect(try schema("[" + values.dropFirst(2).dropLast(2) + "]").contains("integer"))
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
