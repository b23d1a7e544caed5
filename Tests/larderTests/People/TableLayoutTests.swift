import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TableLayoutTests {
    private let plain = Paint(isOn: false)

    private func table(_ items: [JSONValue], fields: [String]? = nil, width: Int) -> (text: String, omitted: [String]) {
        let layout = TableLayout(items, fields: fields, width: width)
        return (([layout.header(plain)] + items.map { layout.row($0, plain) }).joined(), layout.omitted)
    }

    @Test func columnsAreAsWideAsTheirWidestCell() {
        let (text, omitted) = table([["id": 1, "name": "a"], ["id": 200, "name": "日本", "on": true]], width: 40)
        #expect(text == " id  name  on\n  1  a     \n200  日本  true\n")
        #expect(omitted == [])
    }

    @Test func leastInformativeColumnsAreOmitted() {
        let item: JSONValue = [
            "id": 1, "link": "https://example.com/a/b/c", "empty": "", "tags": ["a", "b", "c", "d"],
            "of": ["name": "x"],
            "name": "n",
        ]
        #expect(table([item], width: 80).text.hasPrefix("id  link                       tags      of  name\n"))
        #expect(table([item], width: 80).omitted == ["empty"])
        #expect(table([item], width: 24).text == "id  tags      of  name\n 1  4 values  x   n\n")
        #expect(table([item], width: 13).omitted == ["link", "empty", "tags"])
        #expect(table([item], width: 1).text == "id\n 1\n")
    }

    @Test func selectedFieldsAreShownInTheirOrder() {
        let item: JSONValue = ["id": 1, "a": ["b": ["c": "deep"]], "list": [["n": 1], ["n": 2]], "x.y": 5]
        let fields = ["list.n", "a.b.c", "x.y", "none"]
        #expect(table([item], fields: fields, width: 40).text == "list.n  a.b.c  x.y  none\n1, 2    deep     5  \n")
        let narrow = table([item], fields: fields, width: 10)
        #expect(narrow.text == "lis…  a.b…\n1, 2  deep\n" && narrow.omitted == ["x.y", "none"])
    }

    @Test func idsAndNumbersAreNeverCut() {
        let uuid = "3c003a04-bbb6-4a26-8b14-e0123456789a"
        let item: JSONValue = [
            "name": .string(String(repeating: "long ", count: 20)), "id": .string(uuid), "owner_id": .string(uuid),
            "price": .number("723.125"), "text": .string(String(repeating: "more ", count: 20)),
        ]
        for width in [10, 40, 60, 80, 200] {
            let text = table([item], width: width).text
            #expect(text.contains(uuid))
            #expect(!text.contains("3c003a04-bbb6-4a26-8b14-e012345678…"))
        }
        #expect(table([item], width: 80).text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 80 })
        #expect(table([item], width: 80).omitted == ["owner_id", "text"])
        let chosen = table([item], fields: ["name", "owner_id", "price"], width: 60).text
        #expect(chosen.contains(uuid) && chosen.contains("723.125"))
        // A number in a column of strings is not cut either.
        let mixed: [JSONValue] = [["id": 1, "a": "x"], ["id": 2, "a": 123_456_789]]
        var layout = TableLayout([mixed[0]], fields: nil, width: 6)
        #expect(layout.row(mixed[1], plain) == " 2  123456789\n")
        layout.grow(for: [mixed[1]])
        #expect(layout.columns.map(\.width) == [2, 2])
    }

    @Test func tableColumnsGrowWithLaterPages() {
        func item(_ id: Int, _ name: String) -> JSONValue { ["id": .integer(id), "name": .string(name)] }
        var layout = TableLayout([item(1, "a name of twenty ltr")], fields: nil, width: 24)
        #expect(layout.row(item(1, "a name of twenty ltr"), plain) == " 1  a name of twenty ltr\n")
        // The ids get wider, and the names lose the room.
        layout.grow(for: [item(123_456, "short")])
        #expect(layout.columns.map(\.width) == [6, 16])
        #expect(layout.row(item(123_456, "a name of twenty ltr"), plain) == "123456  a name of twent…\n")
        // Columns of strings keep a width of eight, so that the table gets wider than the terminal.
        layout.grow(for: [item(1_234_567_890_123_456_789, "short")])
        #expect(layout.columns.map(\.width) == [19, 8])
        // Columns of strings grow only if the table has unused width.
        var wide = TableLayout([item(1, "a")], fields: nil, width: 12)
        wide.grow(for: [item(2, "a longer name")])
        #expect(wide.columns.map(\.width) == [2, 8])
    }

    @Test func idColumnsTakeWidthFromShortenedTextsFirst() {
        func item(_ id: Int, _ note: Int) -> JSONValue {
            ["id": .integer(id), "date": "2026-01-02 00:00Z", "note": .string(String(repeating: "n", count: note))]
        }
        var layout = TableLayout([item(9, 60)], fields: nil, width: 42)
        #expect(layout.columns.map(\.width) == [2, 17, 19])
        layout.grow(for: [item(100, 60)])
        #expect(layout.columns.map(\.width) == [3, 17, 18])
        // The date stays whole, because the much longer note is shortened anyway.
        layout.grow(for: [item(10_000_000_000_000, 60)])
        #expect(layout.columns.map(\.width) == [14, 17, 7])
        // The note cannot give enough. Both texts are then shortened to the same width.
        layout.grow(for: [item(10_000_000_000_000_000, 60)])
        #expect(layout.columns.map(\.width) == [17, 11, 10])
    }

    @Test func nameColumnsTakeWidthFromMuchLongerTexts() {
        func item(_ name: String, _ note: Int) -> JSONValue {
            ["id": 1000, "name": .string(name), "note": .string(String(repeating: "n", count: note))]
        }
        let name = "a name of 18 ltrs "
        #expect(TableLayout([item(name, 60)], fields: nil, width: 42).columns.map(\.width) == [4, 18, 16])
        var layout = TableLayout([item("short", 60)], fields: ["id", "name", "note"], width: 31)
        #expect(layout.columns.map(\.width) == [4, 5, 18])
        layout.grow(for: [item(name, 60)])
        #expect(layout.columns.map(\.width) == [4, 18, 5])
        // A name that does not fit, or a text that is not much longer, gets half of the width.
        layout.grow(for: [item(name + "!", 60)])
        #expect(layout.columns.map(\.width) == [4, 12, 11])
        var even = TableLayout([item("short", 50)], fields: ["id", "name", "note"], width: 31)
        even.grow(for: [item(name, 50)])
        #expect(even.columns.map(\.width) == [4, 11, 12])
    }

    @Test func narrowTextColumnsTakeWidthFromWiderOnes() {
        func item(_ name: Int, _ note: Int) -> JSONValue {
            [
                "name": .string(String(repeating: "a", count: name)),
                "note": .string(String(repeating: "n", count: note)),
            ]
        }
        var layout = TableLayout([item(4, 90)], fields: nil, width: 46)
        #expect(layout.columns.map(\.width) == [4, 40])
        layout.grow(for: [item(12, 20)])
        #expect(layout.columns.map(\.width) == [12, 32])
        layout.grow(for: [item(80, 20)])
        #expect(layout.columns.map(\.width) == [22, 22])
    }

    @Test(
        arguments: [
            ("id", true), ("owner_id", true), ("ownerId", true), ("owner.uuid", true), ("InvoiceID", true),
            ("paid", false), ("idea", false), ("name", false), ("", false),
        ])
    func fieldsWithIDsAreRecognizedByName(name: String, isID: Bool) {
        #expect(TableCandidate(name, [.object(JSONObject([(name, "x")]))]).isWhole == isID)
    }

    @Test func timestampsAreShortenedToMinutes() {
        let item: JSONValue = [
            "at": "2026-01-31T09:05:00.250Z", "day": "2026-01-31", "odd": "2026-99-31T09:05:00.250Z",
        ]
        #expect(table([item], width: 80).text.hasSuffix("\n2026-01-31 09:05Z  2026-01-31  2026-99-31T09:05:00.250Z\n"))
    }

    @Test(arguments: [1, 5, 10, 20, 47, 80, 200])
    func tableWithoutIDsIsNoWiderThanTheTerminal(width: Int) {
        let items: [JSONValue] = [
            ["key": "long-long-long", "name": .string(String(repeating: "日本 ", count: 30)), "n": 1],
            ["key": "b", "name": .null, "other": ["a": [1, 2, 3]]], 7, "text", .null,
        ]
        for fields in [nil, ["name", "n", "other"]] {
            for line in table(items, fields: fields, width: width).text.split(separator: "\n") {
                #expect(TextWidth.of(String(line)) <= width)
            }
        }
    }
}
