import JSON
import Testing

@testable import Protocol

/// Tests which fields of an item the parameter `fields` selects.
@Suite(.limited) struct FieldsParamTests {
    private static let item =
        #"{"id":1,"name":"a","owner":{"id":2,"name":"b"},"tags":[{"id":3,"t":1.50},{"t":null}],"n":null}"#

    private static func pick(_ names: String, from item: String = item) throws -> String {
        let document = try JSONDocument(Array(names.utf8))
        let fields = try #require(document.withRoot { FieldsParam($0) })
        return String(decoding: fields.pick(from: Array(item.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"["id"]"#, #"{"id":1}"#), (#"["n","id","n"]"#, #"{"id":1,"n":null}"#),
        (#"["owner.name"]"#, #"{"owner":{"name":"b"}}"#),
        (#"["owner.name","owner"]"#, #"{"owner":{"id":2,"name":"b"}}"#),
        (#"["owner.id","name","owner.name"]"#, #"{"name":"a","owner":{"id":2,"name":"b"}}"#),
        (#"["tags.t"]"#, #"{"tags":[{"t":1.50},{"t":null}]}"#), (#"["n.x"]"#, #"{"n":null}"#),
        (#"["id.x"]"#, "{}"), (#"["nothing"]"#, "{}"), (#"["owner.x"]"#, #"{"owner":{}}"#),
    ])
    func onlySelectedFieldsAreReturnedInItemOrder(names: String, expected: String) throws {
        #expect(try Self.pick(names) == expected)
    }

    @Test func fieldWithADotInItsNameIsReturned() throws {
        let document = try JSONDocument(Array(#"["a.b","o.c"]"#.utf8))
        let fields = try #require(document.withRoot { FieldsParam($0) }).taking { $0 == "a.b" }
        let item = Array(#"{"a.b":1,"a":{"b":2},"o":{"c":3,"d":4},"o.c":5}"#.utf8)
        #expect(String(decoding: fields.pick(from: item), as: UTF8.self) == #"{"a.b":1,"o":{"c":3}}"#)
    }

    @Test func escapedFieldNamesMatchFields() throws {
        #expect(try Self.pick(#"["\u00e4"]"#, from: #"{"b":1,"\u00e4":"x\n\ud83d\ude00"}"#) == "{\"ä\":\"x\\n😀\"}")
    }

    @Test func fieldsAreSelectedFromSeveralItems() throws {
        let document = try JSONDocument(Array(#"["b"]"#.utf8))
        let fields = try #require(document.withRoot { FieldsParam($0) })
        let items = [#"{"a":1,"b":2}"#, #"{"b":3}"#].map { Array($0.utf8) }
        let expected = [#"{"b":2}"#, #"{"b":3}"#].map { Array($0.utf8) }
        #expect(fields.pick(from: items) == expected)
        #expect(Array(fields.pick(from: JSONTexts(items))) == expected)
    }
}
