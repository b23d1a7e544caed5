import DataSources
import JSON
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests ids that are not in a field named `id`.
@Suite(.limited) struct ItemIDTests {
    private static func map(
        _ id: String, _ item: String, fields: String? = nil, from operation: OperationName = .list
    ) throws -> Item {
        try ItemMapper(try Declaration(id: id, fields: fields).resource(), from: operation).map(Stage.dto(item))
    }

    static let rows: [(id: String, item: String, expected: String)] = [
        (#"{"type": "integer", "from": "number"}"#, #"{"id": 900, "number": 7}"#, "7"),
        (#"{"type": "integer", "from": "number"}"#, #"{"number": "7"}"#, "7"),
        (#"{"type": "string", "from": ["@odata.id"]}"#, #"{"@odata.id": "x"}"#, "x"),
        (#"{"type": "string", "from": {"get": "name", "list": "package.name"}}"#, #"{"package": {"name": "p"}}"#, "p"),
        (#"{"type": "integer", "from": "url", "match": "*/{id}/"}"#, #"{"url": "https://a.test/v2/thing/25/"}"#, "25"),
        (#"{"type": "integer", "from": "url", "match": "*/{id}/"}"#, #"{"url": 25}"#, "25"),
        (#"{"type": "string", "from": "url", "match": "{id}"}"#, #"{"url": "abc"}"#, "abc"),
        (#"{"type": "string", "from": "url", "match": "*{id}"}"#, #"{"url": "/works/OL1W"}"#, "OL1W"),
        (#"{"type": "integer", "from": "slug", "match": "*-{id}"}"#, #"{"slug": "a-long-slug-12"}"#, "12"),
        (
            #"{"type": "string", "from": ["shop", "product.id"], "join": ","}"#,
            #"{"shop": 3, "product": {"id": "x"}}"#, "3,x"
        ),
        (
            #"{"type": "string", "from": "metric", "hash": true}"#, #"{"metric": {"a": "1", "b": {"c": [2], "d": 3}}}"#,
            ""
        ),
    ]

    @Test(arguments: rows)
    func idIsReadFromTheItem(_ id: String, _ item: String, _ expected: String) throws {
        let made = try Self.map(id, item).id
        if expected.isEmpty {
            #expect(made.count == 32 && made.allSatisfy { $0.isHexDigit })
            let turned = #"{"metric": {"b": {"d": 3, "c": [2]}, "a": "1"}}"#
            #expect(try Self.map(id, turned).id == made, "the order of keys does not matter")
            #expect(try Self.map(id, #"{"metric": {"a": "2"}}"#).id != made)
        } else {
            #expect(made == expected)
        }
    }

    static let wrong: [(id: String, item: String, path: String)] = [
        (#"{"type": "integer", "from": "number"}"#, #"{"id": 7}"#, "number"),
        (#"{"type": "integer", "from": "number"}"#, #"{"number": "x"}"#, "number"),
        (#"{"type": "string", "from": "url", "match": "*/{id}/"}"#, #"{"url": "https://a.test"}"#, "url"),
        (#"{"type": "string", "from": "url", "match": "*/{id}/"}"#, #"{"url": "a//"}"#, "url"),
        (#"{"type": "string", "from": "url", "match": "{id}"}"#, #"{"url": "a/b"}"#, "url"),
        (#"{"type": "string", "from": ["a", "b"], "join": ","}"#, #"{"a": "1,2", "b": "3"}"#, "a"),
        (#"{"type": "string", "from": ["a", "b"], "join": ","}"#, #"{"a": "1"}"#, "b"),
        (#"{"type": "string", "from": "metric", "hash": true}"#, #"{}"#, "metric"),
    ]

    @Test(arguments: wrong)
    func invalidIDIsReportedWithItsPath(_ id: String, _ item: String, _ path: String) throws {
        let error = #expect(throws: APIError.self) { try Self.map(id, item) }
        #expect(error?.kind == .decodingFailed)
        #expect(error?.path == path)
    }

    @Test func longTextThatDoesNotMatchThePatternIsAnError() throws {
        let url = String(repeating: "/", count: 1 << 20)
        #expect(throws: APIError.self) {
            try Self.map(#"{"type": "string", "from": "url", "match": "*{id}*{id2}"}"#, #"{"url": "\#(url)"}"#)
        }
    }

    @Test func missingIDFieldIsFilledWithTheDerivedID() throws {
        let id = #"{"type": "string", "from": ["a", "b"], "join": "-"}"#
        let fields = #"{"id": "string", "a": "integer"}"#
        #expect(try Self.map(id, #"{"a": 1, "b": 2}"#, fields: fields).json.text == #"{"id":"1-2","a":1}"#)
        #expect(try Self.map(id, #"{"a": 1, "b": 2, "id": 9}"#, fields: fields).json.text == #"{"id":"9","a":1}"#)
        let own = #"{"id": {"from": "c", "type": "string"}}"#
        #expect(throws: APIError.self) { try Self.map(id, #"{"a": 1, "b": 2}"#, fields: own) }
    }

    @Test func objectKeyCanBeTheID() throws {
        let resource = try Declaration(
            id: #"{"type": "string", "from": "@key"}"#,
            fields: #"{"code": {"from": "@key", "type": "string"}, "n": "integer"}"#
        ).resource()
        let document = try JSONDocument(Array(#"{"eur": {"n": 1}}"#.utf8))
        let dto = try document.withRoot { root -> ItemDTO in
            let member = try #require(root.members.first { _ in true })
            return ItemDTO(
                json: document.root.part(member.value), key: document.root.part(member.key), path: "eur", url: "")
        }
        let item = try ItemMapper(resource, from: .list).map(dto)
        #expect(item == Item(id: "eur", json: Array(#"{"code":"eur","n":1}"#.utf8)))
    }
}

/// Tests fields whose values are selected, converted, or read from object keys.
@Suite(.limited) struct SelectedFieldTests {
    private static func text(_ fields: String, _ item: String, from operation: OperationName = .get) throws -> String {
        try ItemMapper(try Declaration(id: "string", fields: fields).resource(), from: operation)
            .map(Stage.dto(item)).json.text
    }

    static let rows: [(fields: String, item: String, expected: String)] = [
        (
            #"{"l": {"from": "labels.*.name", "type": ["string"]}}"#,
            #"{"labels": [{"name": "a"}, {}, {"name": "b"}]}"#, #"["a","b"]"#
        ),
        (#"{"l": {"from": "labels.*.name", "type": ["string"]}}"#, #"{"labels": []}"#, "[]"),
        (#"{"l?": {"from": "labels.*.name", "type": ["string"]}}"#, #"{"labels": null}"#, "null"),
        (#"{"l?": {"from": "labels.*.name", "type": ["string"]}}"#, #"{}"#, "null"),
        (
            #"{"l": {"from": "labels.*.name", "type": "string"}}"#, #"{"labels": [{"name": "a"}, {"name": "b"}]}"#,
            #""a""#
        ),
        (#"{"l": {"from": "m.*", "type": "any"}}"#, #"{"m": {"a": 1, "b": [2]}}"#, "[1,[2]]"),
        (
            #"{"l": {"from": "m.*", "type": [{"k": {"from": "@key", "type": "string"}, "n": "integer"}]}}"#,
            #"{"m": {"a": {"n": 1}, "b": {"n": 2}}}"#, #"[{"k":"a","n":1},{"k":"b","n":2}]"#
        ),
        (#"{"l": {"from": "m.*.@key", "type": ["string"]}}"#, #"{"m": {"a": 1, "b": null}}"#, #"["a","b"]"#),
        (#"{"l": {"from": ["a.b", "c"], "type": "integer"}}"#, #"{"a.b": {"c": 1}}"#, "1"),
        (#"{"l": {"*": "integer"}}"#, #"{"l": {"x": 1, "é y": 2}}"#, #"{"x":1,"é y":2}"#),
        (#"{"l": {"*": "integer?"}}"#, #"{"l": {"x": null}}"#, #"{"x":null}"#),
        (#"{"l": "date"}"#, #"{"l": "2024-02-29T23:30:00.50-01:00"}"#, #""2024-03-01T00:30:00.50Z""#),
        (#"{"l": {"type": "date", "unit": "s"}}"#, #"{"l": 1700000000}"#, #""2023-11-14T22:13:20Z""#),
        (#"{"l": {"type": "date", "unit": "ms"}}"#, #"{"l": 1700000000007}"#, #""2023-11-14T22:13:20.007Z""#),
        (#"{"l": {"type": "date?", "unit": "ms"}}"#, #"{}"#, "null"),
        (#"{"l": {"type": "date", "zone": "UTC"}}"#, #"{"l": "2026-01-31T09:05:00.5"}"#, #""2026-01-31T09:05:00.5Z""#),
        (
            #"{"l": {"type": "date", "zone": "UTC"}}"#, #"{"l": "2026-01-31 09:05:00+01:00"}"#,
            #""2026-01-31T08:05:00Z""#
        ),
        (#"{"l": {"from": {"get": "a", "list": "b"}, "type": "integer"}}"#, #"{"a": 1, "b": 2}"#, "1"),
    ]

    @Test(arguments: rows)
    func fieldValueIsSelectedAndConverted(_ fields: String, _ item: String, _ expected: String) throws {
        let item = item == "{}" ? #"{"id": 1}"# : #"{"id": 1, "# + item.dropFirst()
        #expect(try Self.text(fields, item) == #"{"l":\#(expected)}"#)
    }

    @Test func fieldSelectorMayDependOnTheOperation() throws {
        let fields = #"{"l": {"from": {"get": "a", "list": "b"}, "type": "integer"}}"#
        #expect(try Self.text(fields, #"{"id": 1, "a": 1, "b": 2}"#, from: .list) == #"{"l":2}"#)
        #expect(try Self.text(fields, #"{"id": 1, "a": 1, "b": 2}"#, from: .getMany) == #"{"l":1}"#)
    }

    static let wrong: [(fields: String, item: String, path: String, advice: String)] = [
        (#"{"l": {"from": "t.*.name", "type": ["string"]}}"#, #"{"id": 1}"#, "t", "optional"),
        (#"{"l?": {"from": "t.*.name", "type": ["string"]}}"#, #"{"id": 1, "t": 5}"#, "t", ""),
        (
            #"{"l": {"from": "t.*.name", "type": ["string"]}}"#, #"{"id": 1, "t": [{"name": "a"}, {"name": 5}]}"#,
            "t[1].name", "integer"
        ),
        (#"{"l": {"*": "integer"}}"#, #"{"id": 1, "l": {"a": 1, "b": "x"}}"#, "l.b", "string"),
        (#"{"l": {"*": "integer"}}"#, #"{"id": 1, "l": [1]}"#, "l", "[type]"),
        (#"{"l": ["integer"]}"#, #"{"id": 1, "l": {"a": 1}}"#, "l", ".*"),
        (#"{"l": "date"}"#, #"{"id": 1, "l": 1700000000}"#, "l", "unit"),
        (#"{"l": "date"}"#, #"{"id": 1, "l": "yesterday"}"#, "l", "string"),
        (#"{"l": "date"}"#, #"{"id": 1, "l": "2026-01-31T09:05:00"}"#, "l", "zone"),
        (#"{"l": {"type": "date", "zone": "UTC"}}"#, #"{"id": 1, "l": "2026-01-31"}"#, "l", "string"),
        (#"{"l": "integer"}"#, #"{"id": 1, "l": 1.5}"#, "l", "number"),
    ]

    @Test(arguments: wrong)
    func mismatchErrorContainsThePathAndAdvice(_ fields: String, _ item: String, _ path: String, _ advice: String)
        throws
    {
        let error = #expect(throws: APIError.self) { try Self.text(fields, item) }
        #expect(error?.path == path)
        #expect(error?.message.contains(advice) == true || advice.isEmpty, "\(error?.message ?? "")")
    }
}
