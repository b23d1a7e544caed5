import JSON
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct CellTextTests {
    @Test(
        arguments: [
            ("2026-01-31T09:05:00Z", "2026-01-31 09:05Z"), ("2026-01-31T09:05:00.123Z", "2026-01-31 09:05Z"),
            ("2026-01-31T09:05:00+01:00", "2026-01-31T09:05:00+01:00"),
            ("2026-01-31 09:05:00Z", "2026-01-31 09:05:00Z"),
            ("2026-01-31T09:65:00Z", "2026-01-31T09:65:00Z"), ("a text that ends in Z", "a text that ends in Z"),
            ("2026-01-31Z", "2026-01-31Z"),
        ])
    func onlyTimestampsInUTCAreShortened(text: String, expected: String) {
        #expect(CellText.short(.string(text)) == expected)
    }

    @Test(
        arguments: [
            (.null, "-"), (true, "true"), (false, "false"), (.number("1.50"), "1.50"), ("a\nb", "a\\nb"), ([], ""),
            ([1, "a", .null], "1, a, -"), ([1, 2, 3, 4], "4 values"), ([:], "{}"), (["x": 1], #"{"x":1}"#),
            (["id": 1, "name": "a"], "a"), (["id": 1, "name": ""], "1"), (["key": "k", "login": "l"], "l"),
            (["label": "b", "title": "t"], "t"), (["name": ["x"]], #"{"name":["x"]}"#),
        ] as [(JSONValue, String)])
    func tableCellShowsAValueOnOneLine(value: JSONValue, expected: String) {
        #expect(CellText.of(value) == expected)
        if value.string == nil { #expect(CellText.short(value) == expected) }
    }

    @Test(
        arguments: [
            ("a", .integer(1)), ("b.c", .integer(2)), ("b.d", .integer(3)), ("list.n", [4, 5]), ("b.x", nil),
            ("x", nil),
            ("a.", nil), ("b.", nil), ("list", [["n": 4], ["n": 5], [:]]),
        ] as [(String, JSONValue?)])
    func dottedNameSelectsANestedField(name: String, expected: JSONValue?) {
        let item: JSONValue = [
            "a": 1, "b": ["c": 2, "d": 0], "b.d": 3, "list": [["n": 4], ["n": 5], [:]],
        ]
        #expect(CellText.find(name, in: item) == expected)
    }

    @Test(
        arguments: [
            ("tags.k", true), ("tags.z", false), ("tags.0.k", false), ("labels.q", false), ("none.a", true),
            ("empty.a", true), ("of.a", true), ("of.b", false), ("x.y", true), ("id", true), ("id.a", false),
        ])
    func fieldPathMayLeadThroughArrays(name: String, isContained: Bool) {
        let item: JSONValue = [
            "id": 1, "tags": [["k": 1], [:]], "labels": ["x"], "none": nil, "empty": [], "of": ["a": nil], "x.y": 1,
        ]
        #expect(CellText.contains(name, in: item) == isContained)
    }
}
