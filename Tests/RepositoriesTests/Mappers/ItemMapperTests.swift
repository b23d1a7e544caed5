import DataSources
import JSON
import Model
import Repositories
import TestSupport
import Testing

/// Tests how the fields of an item are checked and written.
@Suite(.limited) struct ItemMapperTests {
    /// Maps one item of a resource with the given fields (JSON).
    static func map(_ fields: String?, _ item: String, id: String = "integer", path: String = "") throws -> Item {
        let mapper = ItemMapper(try Declaration(id: id, fields: fields).resource())
        return try mapper.map(Stage.dto(item, path: path))
    }

    /// Returns the error of a mapping. If there is none, records an issue and returns nil.
    static func fault(
        _ fields: String?, _ item: String, id: String = "integer", path: String = ""
    ) throws -> APIError? {
        #expect(throws: APIError.self, "\(fields ?? "any"): \(item)") {
            try map(fields, item, id: id, path: path)
        }
    }

    /// A field's type with matching and mismatched values.
    struct TypeRow: CustomStringConvertible {
        let type: String
        let right: [String]
        let wrong: [String]
        var description: String { type }
    }

    static let rows = [
        TypeRow(
            type: #""string""#, right: [#""""#, #""é""#, #""a\"b\\""#],
            wrong: ["1", "true", "[]", "{}"]),
        TypeRow(
            type: #""integer""#, right: ["0", "-7", "123456789012345678901234567890"],
            wrong: ["1.0", "1e3", "1E3", #""1""#, "true", "[]", "{}"]),
        TypeRow(
            type: #""number""#, right: ["0", "-7", "1.50", "1e3", "-0.0", "6.02E+23"],
            wrong: [#""1""#, "false", "[1]", "{}"]),
        TypeRow(type: #""boolean""#, right: ["true", "false"], wrong: ["0", #""true""#, "[]", "{}"]),
        TypeRow(type: #""any""#, right: ["1", #""a""#, "false", "null", #"{"a":[1,null]}"#, "[]"], wrong: []),
        TypeRow(
            type: #"{"x": "integer"}"#, right: [#"{"x":1}"#],
            wrong: ["1", "[]", #""x""#, "true"]),
        TypeRow(type: #"["integer"]"#, right: ["[]", "[1,2]"], wrong: ["1", "{}", #""1""#, "true"]),
        TypeRow(
            type: #"["a", "b"]"#, right: [#""a""#, #""b""#],
            wrong: [#""c""#, #""A""#, #""""#, "1", "true", #"["a"]"#, "{}"]),
    ]

    @Test(arguments: rows) func valueOfTheDeclaredTypeIsUnchanged(_ row: TypeRow) throws {
        for value in row.right {
            let item = try Self.map(#"{"id": "integer", "f": \#(row.type)}"#, #"{"id": 1, "f": \#(value)}"#)
            #expect(item.json.text == #"{"id":1,"f":\#(value)}"#)
            #expect(item.id == "1")
        }
    }

    @Test(arguments: rows) func valueOfTheWrongTypeIsReportedWithItsPath(_ row: TypeRow) throws {
        for value in row.wrong {
            let error = try Self.fault(#"{"id": "integer", "f": \#(row.type)}"#, #"{"id": 1, "f": \#(value)}"#)
            #expect(error?.kind == .decodingFailed, "\(value)")
            #expect(error?.path == "f", "\(value)")
            #expect(error?.fallsBackToCache == true)
        }
    }

    @Test(arguments: rows) func missingFieldIsAnErrorAndNullFitsOnlyTheTypeAny(_ row: TypeRow) throws {
        let fields = #"{"id": "integer", "f": \#(row.type)}"#
        #expect(try Self.fault(fields, #"{"id": 1}"#, path: "results[3]")?.path == "results[3].f")
        if row.type != #""any""# {
            #expect(try Self.fault(fields, #"{"id": 1, "f": null}"#, path: "item")?.path == "item.f")
        }
    }

    @Test(arguments: rows) func optionalFieldMayBeMissingOrNullButIsChecked(_ row: TypeRow) throws {
        let fields = #"{"id": "integer", "f?": \#(row.type)}"#
        for item in [#"{"id": 1}"#, #"{"id": 1, "f": null}"#] {
            #expect(try Self.map(fields, item).json.text == #"{"id":1,"f":null}"#)
        }
        #expect(
            try Self.map(fields, #"{"id": 1, "f": \#(row.right[0])}"#).json.text == #"{"id":1,"f":\#(row.right[0])}"#)
        for value in row.wrong {
            #expect(try Self.fault(fields, #"{"id": 1, "f": \#(value)}"#)?.path == "f")
        }
    }

    @Test(arguments: ["string", "integer", "number", "boolean", "any"])
    func questionMarkAfterTheTypeMakesAFieldOptional(_ type: String) throws {
        let item = try Self.map(#"{"id": "integer", "f": "\#(type)?"}"#, #"{"id": 1}"#)
        #expect(item.json.text == #"{"id":1,"f":null}"#)
    }

    @Test func errorPathLeadsToTheValueAtFault() throws {
        let fields = """
            {"id": "integer", "origin": {"name": "string", "tags": [{"n": "integer"}]}, "rows": [["boolean"]],
             "maybe": ["string?"], "kinds": [["a", "b"]]}
            """
        func item(
            _ origin: String = #"{"name": "n", "tags": []}"#, rows: String = "[]", maybe: String = "[]",
            kinds: String = "[]"
        ) -> String {
            #"{"id": 1, "origin": \#(origin), "rows": \#(rows), "maybe": \#(maybe), "kinds": \#(kinds)}"#
        }
        let table = [
            (item("5"), "origin"), (item(#"{"tags": []}"#), "origin.name"),
            (item(#"{"name": null, "tags": []}"#), "origin.name"),
            (item(#"{"name": "n", "tags": {}}"#), "origin.tags"),
            (item(#"{"name": "n", "tags": [{"n": 1}, {"n": "x"}]}"#), "origin.tags[1].n"),
            (item(#"{"name": "n", "tags": [null]}"#), "origin.tags[0]"),
            (item(rows: "[[true], [false, 0]]"), "rows[1][1]"), (item(maybe: #"["a", null, 7]"#), "maybe[2]"),
            (item(kinds: #"["a", "c"]"#), "kinds[1]"),
        ]
        for (text, path) in table { #expect(try Self.fault(fields, text)?.path == path, "\(text)") }
        for (text, path) in table {
            #expect(try Self.fault(fields, text, path: "data.list[20]")?.path == "data.list[20].\(path)")
        }
        let good = item(#"{"name": "n", "tags": [{"n": 1}]}"#, rows: "[[true],[]]", maybe: #"["a", null]"#)
        let text = #"{"id":1,"origin":{"name":"n","tags":[{"n":1}]},"rows":[[true],[]],"maybe":["a",null],"kinds":[]}"#
        #expect(try Self.map(fields, good).json.text == text)
    }

    @Test func errorMessageStatesExpectedAndFoundValue() throws {
        let fields = #"{"id": "integer", "f": ["a", "b"]}"#
        let message = try Self.fault(fields, #"{"id": 1, "f": "c"}"#, path: "results[3]")?.message
        #expect(
            message
                == #"'results[3].f' must be one of "a", "b", but is the string "c"; add the string to the type, or set "otherwise" to a replacement for unknown strings"#
        )
        let missing = try Self.fault(fields, #"{"id": 1}"#)?.message
        #expect(
            missing
                == #"'f' must be one of "a", "b", but is missing; if the value may be missing, declare it optional with '?'"#
        )
        let long = String(repeating: "x", count: 1000)
        let cut = try Self.fault(fields, #"{"id": 1, "f": "\#(long)"}"#)?.message ?? long
        #expect(cut.count < 160)
    }

    @Test(arguments: ["[]", "1", "null", #""a""#, "true"]) func itemMustBeAnObject(_ text: String) throws {
        for fields in [#"{"id": "integer"}"#, nil] {
            let error = try Self.fault(fields, text, path: "results[0]")
            #expect(error?.kind == .decodingFailed)
            #expect(error?.path == "results[0]")
        }
    }
}

/// Tests which fields a mapped item has, their order and their names.
@Suite(.limited) struct ItemShapeTests {
    private static func text(_ fields: String?, _ item: String, id: String = "integer") throws -> String {
        try ItemMapperTests.map(fields, item, id: id).json.text
    }

    @Test func undeclaredFieldsAreDropped() throws {
        let fields = #"{"b": "string", "id": "integer", "a": {"y": "any", "x": "any"}}"#
        let item = #"{"a": {"x": 1, "z": 0, "y": 2}, "extra": [1], "id": 1, "b": "b"}"#
        #expect(try Self.text(fields, item) == #"{"b":"b","id":1,"a":{"y":2,"x":1}}"#)
    }

    @Test func numbersKeepTheirDigits() throws {
        let fields = #"{"id": "integer", "n": "number", "i": "integer", "x": "any"}"#
        let numbers = #""n":1.10e+05,"i":-100000000000000000000001,"x":{"d":[0.30,1E400,-0]}"#
        #expect(try Self.text(fields, "{\"id\":1,\(numbers)}") == "{\"id\":1,\(numbers)}")
        #expect(try Self.text(nil, "{\"id\":1,\(numbers)}") == "{\"id\":1,\(numbers)}")
    }

    @Test func onlyIDsAreConvertedBetweenTextAndInteger() throws {
        let numbers = #"{"id": "integer", "other": "integer", "in": {"id": "integer"}}"#
        #expect(
            try Self.text(numbers, #"{"id": "7", "other": 1, "in": {"id": 2}}"#) == #"{"id":7,"other":1,"in":{"id":2}}"#
        )
        #expect(try ItemMapperTests.fault(numbers, #"{"id": 7, "other": "1", "in": {"id": 2}}"#)?.path == "other")
        #expect(
            try Self.text(numbers, #"{"id": 7, "other": 1, "in": {"id": "2"}}"#) == #"{"id":7,"other":1,"in":{"id":2}}"#
        )
        #expect(try ItemMapperTests.fault(numbers, #"{"id": 7, "other": 1, "in": {"id": "x"}}"#)?.path == "in.id")
        let picked =
            #"{"id": "integer", "author": {"from": "user.id", "type": "string"}, "all": {"from": "l.*.id", "type": ["integer"]}}"#
        #expect(
            try Self.text(picked, #"{"id": 7, "user": {"id": 5}, "l": [{"id": "1"}, {"id": 2}]}"#)
                == #"{"id":7,"author":"5","all":[1,2]}"#)
        let texts = #"{"id": "string", "other": "string"}"#
        #expect(try Self.text(texts, #"{"id": 7, "other": "1"}"#, id: "string") == #"{"id":"7","other":"1"}"#)
        #expect(try ItemMapperTests.fault(texts, #"{"id": 7, "other": 1}"#, id: "string")?.path == "other")
    }

    @Test(arguments: ["null", "true", "1.0", "1e2", "{}", #""""#, #""x""#, #""1.5""#, #"" 1""#, #""07""#, "-0"])
    func idThatIsNotAnIntegerIsAnError(_ id: String) throws {
        for fields in [#"{"name": "any?", "id": "integer"}"#, #"{"name": "any?"}"#, nil] {
            let error = try ItemMapperTests.fault(fields, #"{"id": \#(id)}"#, path: "results[1]")
            #expect(error?.path == "results[1].id", "\(fields ?? "all")")
        }
    }

    @Test func itemWithoutIDIsAnError() throws {
        for fields in [#"{"id": "integer"}"#, #"{"name": "any?"}"#, nil] {
            #expect(try ItemMapperTests.fault(fields, #"{"name": "x"}"#)?.path == "id")
        }
    }

    @Test func idIsReadFromAFieldThatTheCatalogDoesNotDeclare() throws {
        let item = try ItemMapperTests.map(#"{"name": "string"}"#, #"{"id": "12", "name": "x"}"#)
        #expect(item.id == "12")
        #expect(item.json.text == #"{"name":"x"}"#)
    }

    @Test func itemWithoutDeclaredFieldsKeepsAllValues() throws {
        let item = try ItemMapperTests.map(nil, #"{"b": [1, {"id": "2"}], "id": "7", "a": null}"#)
        #expect(item.id == "7")
        #expect(item.json.text == #"{"b":[1,{"id":"2"}],"id":7,"a":null}"#)
        #expect(try Self.text(nil, #"{"id": 7}"#, id: "string") == #"{"id":"7"}"#)
    }

    @Test func unknownEnumerationValueIsReplacedByTheDeclaredFallback() throws {
        let fields = #"{"id": "integer", "s": {"type": ["on", "off"], "otherwise": "unknown"}}"#
        for (value, shown) in [(#""on""#, "on"), (#""off""#, "off"), (#""dim""#, "unknown"), (#""""#, "unknown")] {
            #expect(try Self.text(fields, #"{"id": 1, "s": \#(value)}"#) == #"{"id":1,"s":"\#(shown)"}"#)
        }
        for value in ["1", "null", "true", "[]"] {
            #expect(try ItemMapperTests.fault(fields, #"{"id": 1, "s": \#(value)}"#)?.path == "s")
        }
        #expect(try ItemMapperTests.fault(fields, #"{"id": 1}"#)?.path == "s")
    }

    @Test func escapedTextMatchesAnEnumerationValue() throws {
        let text = try Self.text(#"{"id": "integer", "s": ["on", "off"]}"#, #"{"id": 1, "s": "\u006fn"}"#)
        #expect(try JSONValue(parsing: text)["s"] == "on")
    }

    @Test func renamedFieldReportsItsPathInTheBody() throws {
        let fields = #"{"id": "integer", "airDate": {"from": "air_date", "type": "string?"}, "air_date": "any?"}"#
        let text = try Self.text(fields, #"{"id": 1, "airDate": 5, "air_date": "today"}"#)
        #expect(text == #"{"id":1,"airDate":"today","air_date":"today"}"#)
        #expect(try Self.text(fields, #"{"id": 1, "airDate": 5}"#) == #"{"id":1,"airDate":null,"air_date":null}"#)
        #expect(try ItemMapperTests.fault(fields, #"{"id": 1, "air_date": 5}"#)?.path == "air_date")
    }

    @Test func fieldIsSelectedFromAnInnerObject() throws {
        let fields = """
            {"id": {"from": "meta.key", "type": "integer"}, "home": {"from": "origin.name", "type": "string"},
             "first": {"from": "tags.0", "type": "string?"}}
            """
        let item = try ItemMapperTests.map(
            fields, #"{"id": 99, "meta": {"key": "5"}, "origin": {"name": "Earth"}, "tags": ["a", "b"]}"#)
        #expect(item.id == "5")
        #expect(item.json.text == #"{"id":5,"home":"Earth","first":"a"}"#)
        let bare = #"{"meta": {"key": 5}, "origin": {"name": "Earth"}, "tags": []}"#
        #expect(try Self.text(fields, bare) == #"{"id":5,"home":"Earth","first":null}"#)
        for origin in ["null", "{}", "7", #"{"name": 1}"#] {
            let error = try ItemMapperTests.fault(
                fields, #"{"meta": {"key": 5}, "origin": \#(origin)}"#, path: "results[2]")
            #expect(error?.path == "results[2].origin.name", "\(origin)")
        }
        #expect(try ItemMapperTests.fault(fields, #"{"id": 1, "origin": {"name": "Earth"}}"#)?.path == "meta.key")
    }
}
