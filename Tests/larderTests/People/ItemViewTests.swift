import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct ItemViewTests {
    private func text(_ item: JSONValue, width: Int = 40) -> String {
        ItemView(width: width, paint: Paint(isOn: false)).text(item)
    }

    @Test func itemViewShowsEachFieldOnItsOwnLine() {
        let item: JSONValue = [
            "id": 1, "full name": "Rick", "none": .null, "of": ["id": 2, "list": [1, "a"]], "empty": "",
        ]
        #expect(
            text(item) == """
                id         1
                full name  Rick
                none       -
                of
                  id    2
                  list  1, a
                empty

                """)
    }

    @Test func narrowTerminalShowsValuesBelowNames() {
        #expect(text(["name": "Rick Sanchez"], width: 12) == "name\n  Rick\n  Sanchez\n")
    }

    @Test func lineBreaksOfATextAreKept() {
        #expect(text(["a": "one\r\ntwo\n\nthree\rfour"]) == "a  one\n   two\n\n   three\\rfour\n")
    }

    @Test func deeplyNestedFieldsAreShownAsJSON() {
        func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(1) { value, _ in ["a": value] } }
        #expect(
            text(nested(8), width: 80)
                == "a\n  a\n    a\n      a\n        a\n          a\n            a\n              a  1\n")
        #expect(text(nested(9), width: 80).hasSuffix("              a  {\"a\":1}\n"))
        // Each level needs two columns, and the value needs some too.
        #expect(text(nested(2), width: 10) == "a\n  a\n    1\n")
        #expect(text(nested(2), width: 9).contains("{"))
    }

    @Test func longTextIsCut() {
        let lines = text(["a": .string(String(repeating: "line\n", count: 50))]).split(separator: "\n")
        #expect(lines.count == 12 && lines.last == "   line…")
        #expect(
            text(["a": .string(String(repeating: "x", count: 100_000))], width: 30).split(separator: "\n").count == 12)
        let many = text(["a": .array(Array(repeating: ["name": "x"], count: 50))]).split(separator: "\n")
        #expect(many.count == 22 && many[1] == "  - name  x" && many.last == "    … 30 more")
    }

    @Test func nestedArraysAreIndented() {
        let item: JSONValue = [
            "links": [["rel": "self", "href": "a"], "text", ["of": ["x": 1]], [:]], "plain": [1, "b"], "none": [[:]],
        ]
        #expect(
            text(item) == """
                links
                  - rel   self
                    href  a
                  - text
                  - of
                      x  1
                  - {}
                plain  1, b
                none   {}

                """)
    }

    @Test(arguments: [1, 10, 20, 33, 80])
    func itemViewFitsTheTerminalWidth(width: Int) {
        var deep: JSONValue = ["x": "日本語 日本語"]
        for _ in 0..<8 { deep = ["a long name of a field": deep, "other": [deep]] }
        for line in text(deep, width: max(width, Terminal.minWidth)).split(separator: "\n") {
            #expect(TextWidth.of(String(line)) <= max(width, Terminal.minWidth))
        }
    }

    @Test(arguments: ["x", 1, .null, [], [1], [:]] as [JSONValue])
    func itemThatIsNotAnObjectIsShown(item: JSONValue) { #expect(text(item).hasSuffix("\n")) }

    @Test func valueWithTooLittleRoomIsBelowItsName() {
        func text(width: Int) -> String { ItemView(width: width, paint: Paint(isOn: false)).text(["a": "x"]) }
        #expect(text(width: 23) == "a  x\n")
        #expect(text(width: 22) == "a\n  x\n")
    }

    @Test(arguments: [(20, false), (21, true)]) func longArrayOfObjectsIsCut(count: Int, isCut: Bool) {
        let elements = (1...count).map { JSONValue.object(JSONObject([("n", .integer($0))])) }
        let text = ItemView(width: 80, paint: Paint(isOn: false)).text(["a": .array(elements)])
        #expect(text.contains("- n  20\n") && text.contains("…") == isCut && !text.contains("n  21"))
    }
}
