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
        #expect(table([item], width: 1).text == "…\n1\n")
    }

    @Test func selectedFieldsAreShownInTheirOrder() {
        let item: JSONValue = ["id": 1, "a": ["b": ["c": "deep"]], "list": [["n": 1], ["n": 2]], "x.y": 5]
        let fields = ["list.n", "a.b.c", "x.y", "none"]
        #expect(table([item], fields: fields, width: 40).text == "list.n  a.b.c  x.y  none\n1, 2    deep     5  \n")
        let narrow = table([item], fields: fields, width: 10)
        #expect(narrow.text == "lis…  a.b…\n1, 2  deep\n" && narrow.omitted == ["x.y", "none"])
    }

    @Test func timestampsAreShortenedToMinutes() {
        let item: JSONValue = [
            "at": "2026-01-31T09:05:00.250Z", "day": "2026-01-31", "odd": "2026-99-31T09:05:00.250Z",
        ]
        #expect(table([item], width: 80).text.hasSuffix("\n2026-01-31 09:05Z  2026-01-31  2026-99-31T09:05:00.250Z\n"))
    }

    @Test(arguments: [1, 5, 10, 20, 47, 80, 200])
    func noLineIsTooWide(width: Int) {
        let items: [JSONValue] = [
            ["id": "long-long-long", "name": .string(String(repeating: "日本 ", count: 30)), "n": 12_345_678_901],
            ["id": "b", "name": .null, "other": ["a": [1, 2, 3]]], 7, "text", .null,
        ]
        for fields in [nil, ["name", "n", "other"]] {
            for line in table(items, fields: fields, width: width).text.split(separator: "\n") {
                #expect(TextWidth.of(String(line)) <= width)
            }
        }
    }
}
