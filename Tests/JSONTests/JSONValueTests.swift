import JSON
import TestSupport
import Testing

@Suite("A value keeps the digits of numbers and the order of keys", .limited)
struct JSONValueTests {
    @Test func keysOfAJSONObjectKeepTheirOrder() throws {
        let value = try JSONValue(parsing: #"{"z": 1, "a": {"y": [], "b": null}, "m": "x"}"#)
        #expect(value.text == #"{"z":1,"a":{"y":[],"b":null},"m":"x"}"#)
    }

    @Test func jsonKeyThatIsSetAgainKeepsItsPosition() {
        var object = JSONObject([("a", 1), ("b", 2), ("c", 3)])
        object["b"] = "new"
        #expect(JSONValue.object(object).text == #"{"a":1,"b":"new","c":3}"#)
        object["a"] = nil
        #expect(JSONValue.object(object).text == #"{"b":"new","c":3}"#)
        object["a"] = 4
        object["missing"] = nil
        #expect(JSONValue.object(object).text == #"{"b":"new","c":3,"a":4}"#)
        #expect(object.members.map(\.key) == ["b", "c", "a"])
    }

    @Test func repeatedJSONKeyHasTheLastValueAtTheFirstPosition() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"\u0061":3}"#).text == #"{"a":3,"b":2}"#)
    }

    /// Swift strings are equal if they look alike. JSON keys are equal only if their Unicode scalars are equal.
    @Test func jsonKeysAreComparedByUnicodeScalars() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}")
        #expect(Array(value.text.utf8) == Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
    }

    @Test func jsonNumbersKeepTheirText() throws {
        let value = try JSONValue(parsing: "[1, 1.0, 1e0, -0, 12345678901234567890.50]")
        #expect(value == [1, .number("1.0"), .number("1e0"), .number("-0"), .number("12345678901234567890.50")])
        #expect(JSONValue.integer(1) != .number("1.0"))
    }

    @Test func membersAndElementsAreReadBySubscript() {
        let value: JSONValue = ["a": [true, nil, "x"]]
        #expect(value["a"]?[2] == "x")
        #expect(value["a"]?[1] == .null)
        #expect(value["a"]?[3] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"] == nil)
        #expect(value[0] == nil)
        #expect(value["a"]?["a"] == nil)
    }

    @Test func swiftLiteralsBecomeJSONValues() {
        let value: JSONValue = ["n": nil, "b": false, "i": -7, "s": "\"", "a": [], "o": [:]]
        #expect(value.text == #"{"n":null,"b":false,"i":-7,"s":"\"","a":[],"o":{}}"#)
    }

    @Test func objectsWithDifferentKeyOrderAreNotEqual() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2}"#) != JSONValue(parsing: #"{"b":2,"a":1}"#))
    }

    @Test func invalidTextIsNotAJSONValue() {
        #expect(throws: JSONFault("expected a value, found 'x'", at: 0)) { try JSONValue(parsing: "x") }
    }
}
