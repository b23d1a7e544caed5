import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct OutputFormatTests {
    private static let pages: [[JSONValue]] = [
        [["id": 1, "name": "a, \"b\"", "tags": ["x", "y"], "none": .null]], [],
        [["id": 2, "name": "two\nlines\tand \\", "new": true], ["id": 3]],
    ]

    private func text(
        _ format: OutputFormat, _ pages: [[JSONValue]] = pages, fields: [String]? = nil, isSingle: Bool = false,
        isTerminal: Bool = false
    ) -> (text: String, warning: String?) {
        var options = CommandOptions()
        options.people.format = format
        options.people.fields = fields
        let terminal = Terminal(isTerminal: isTerminal, columns: 80, colour: .never, variable: { _ in "xterm" })
        var items = ItemsText(
            TerminalView(terminal, isSingle: isSingle, options, ClockMock()), isSingle: isSingle)
        let text = pages.map { items.text($0) }.joined() + items.end
        return (text, items.warnings.first)
    }

    @Test func jsonIsOneArrayOfAllPages() throws {
        let json = text(.json).text
        #expect(try JSONValue(parsing: json) == .array(Self.pages.flatMap { $0 }))
        #expect(json.hasPrefix("[\n  {\n    \"id\": 1,\n    \"name\": ") && json.hasSuffix("\n  }\n]\n"))
        #expect(text(.json, [[]]).text == "[]\n")
        #expect(text(.json, [[["a": [], "b": [:]]]], isSingle: true).text == "{\n  \"a\": [],\n  \"b\": {}\n}\n")
    }

    @Test func nestedArraysAreIndentedByTwoSpaces() {
        let value: JSONValue = ["a": [[1], ["b": 2]]]
        let text = PrettyJSON(paint: Paint(isOn: false), isVisible: false).text(value)
        #expect(
            text == """
                {
                  "a": [
                    [
                      1
                    ],
                    {
                      "b": 2
                    }
                  ]
                }
                """)
        #expect(PrettyJSON(paint: Paint(isOn: false), isVisible: false).text([1], margin: 2) == "[\n    1\n  ]")
    }

    @Test func jsonOfACatalogIsSplitAtAHundredBytes() {
        func text(_ count: Int) -> String {
            IndentedJSON.text(["a": .array([.string(String(repeating: "x", count: count))])])
        }
        // The line has 100 bytes.
        #expect(text(90) == "{\"a\":[\"" + String(repeating: "x", count: 90) + "\"]}\n")
        #expect(text(91).hasPrefix("{\n  \"a\": [\""))
        #expect(text(94).hasPrefix("{\n  \"a\": [\"") && text(95).hasPrefix("{\n  \"a\": [\n    \""))
        #expect(IndentedJSON.text([1, []], width: 5) == "[\n  1,\n  []\n]\n")
        #expect(IndentedJSON.text([1, []], width: 6) == "[1,[]]\n")
    }

    @Test func jsonLinesHaveOneItemEach() throws {
        #expect(text(.jsonl).text.split(separator: "\n").count == 3)
        #expect(text(.jsonl, [[]]).text.isEmpty)
    }

    @Test func csvQuotesValuesAndKeepsTheColumnsOfTheFirstPage() {
        let (csv, warning) = text(.csv)
        let lines = [
            "id,name,tags,none", #"1,"a, ""b""","[""x"",""y""]","#, "2,\"two", "lines\tand \\\",,", "3,,,", "",
        ]
        #expect(csv == lines.joined(separator: "\n"))
        #expect(
            warning == "not printed, because no item of the first page has them: new; select the columns with --fields")
        #expect(text(.csv, [[["a": "x\ry"]]]).text == "a\n\"x\ry\"\n")
    }

    @Test func selectedFieldsAreTheColumnsOfCSV() {
        let (csv, warning) = text(.csv, fields: ["name", "new", "a.b"])
        #expect(csv.hasPrefix("name,new,a.b\n") && csv.hasSuffix("\n,,\n"))
        #expect(warning == "no item has the field 'a.b'")
        #expect(text(.csv, [[]], fields: ["a"]) == ("a\n", nil))
        #expect(text(.csv, [[]]).text.isEmpty)
    }

    @Test func warningAboutAnUnknownSortFieldSuggestsAField() {
        let terminal = Terminal(isTerminal: false, columns: 80, colour: .never, variable: { _ in nil })
        let view = TerminalView(terminal, isSingle: false, CommandOptions(), ClockMock())
        var items = ItemsText(view, names: ["nmae", "x"])
        _ = items.text([["name": "a"]]) + items.text([["x": 1]])
        #expect(items.warnings == ["no item has the field 'nmae'; did you mean 'name'?"])
    }

    @Test func tsvEscapesTabsAndLineBreaks() {
        let lines = [
            "id\tname\ttags\tnone", "1\ta, \"b\"\t[\"x\",\"y\"]\t", #"2T two\nlines\tand \\TT"#, "3\t\t\t", "",
        ]
        #expect(text(.tsv).text == lines.joined(separator: "\n").replacing("T ", with: "\t").replacing("T", with: "\t"))
        #expect(text(.tsv, [[["a": "x\ry"]]]).text == "a\nx\\ry\n")
    }

    @Test func markdownIsOneTableOfAllPages() {
        let (markdown, warning) = text(.markdown)
        let lines = [
            "| id | name | tags | none |", "| ---: | --- | --- | --- |", #"| 1 | a, "b" | \["x","y"] |  |"#,
            #"| 2 | two<br>lines and \\ |  |  |"#, "| 3 |  |  |  |", "",
        ]
        #expect(markdown == lines.joined(separator: "\n"))
        #expect(warning?.contains("no item of the first page has them: new") == true)
        #expect(text(.markdown, [[]], fields: ["a", "b_c"]).text == "| a | b_c |\n| --- | --- |\n")
        #expect(text(.markdown, [[]]).text.isEmpty)
        #expect(text(.markdown, [[["n": nil], ["n": 1]]]).text == "| n |\n| ---: |\n|  |\n| 1 |\n")
    }

    @Test(
        arguments: [
            ("a|b", #"a\|b"#), (#"a\|b"#, #"a\\\|b"#), (#"\"#, #"\\"#), ("a\r\nb\rc\nd", "a<br>b<br>c<br>d"),
            ("<b>&lt; & R&D", #"\<b>\&lt; & R&D"#), ("![x](y) `c` *d* ~~e~~", #"!\[x](y) \`c\` \*d\* \~\~e\~\~"#),
            ("created_at __x__ _y", #"created_at \_\_x\_\_ \_y"#), ("über_allem", "über_allem"),
            ("“_really_” 日本_x", #"“\_really\_” 日本_x"#), ("$x$ 5 $", #"\$x\$ 5 \$"#),
            ("&#1; &#x1; &; &a b;", #"\&#1; \&#x1; &; &a b;"#),
            ("see https://a.test/_x_*y*?a=1&b=2|3 _z_", #"see <https://a.test/_x_*y*?a=1&b=2\|3> \_z\_"#),
            ("http://a.test/?a&lt;\nb", "<http://a.test/?a&amp;lt;><br>b"),
            (#"["https://a.test/_1_","https://b.test"]"#, #"\["<https://a.test/_1_>","<https://b.test>"]"#),
            ("https://a.test/<_b_>", #"https://a.test/\<\_b\_>"#), (#"https://a.test/\_"#, #"https://a.test/\\\_"#),
        ])
    func markdownCellShowsTheTextUnchanged(text: String, cell: String) {
        #expect(MarkdownText.cell(text) == cell)
    }

    @Test func recordOutputIsSeparatedByBlankLines() {
        #expect(text(.record, [[["a": 1]], [["a": 2], ["a": 3]]]).text == "a  1\n\na  2\n\na  3\n")
    }

    @Test func yamlOutputIsASequenceOfItems() {
        #expect(text(.yaml, [[["a": [1, ["b": "x"]]]], [["c": [:]]]]).text == "- a:\n    - 1\n    - b: x\n- c: {}\n")
        #expect(text(.yaml, [[["a": 1]]], isSingle: true).text == "a: 1\n")
        #expect(text(.yaml, [[]]).text == "[]\n")
    }

    @Test(
        arguments: [
            ("plain text", "plain text"), ("no", "\"no\""), ("Off", "\"Off\""), ("null", "\"null\""), ("1", "\"1\""),
            ("2026-01-01", "\"2026-01-01\""), ("a: b", "\"a: b\""), ("a #b", "\"a #b\""), ("", "\"\""),
            ("a ", "\"a \""), (" a", "\" a\""), ("-a", "\"-a\""), ("a\nb", "\"a\\nb\""), ("é", "\"é\""), ("~", "\"~\""),
            ("north", "north"), ("a-b_c.d/e (f)", "a-b_c.d/e (f)"),
        ])
    func yamlQuotesStringsThatCouldBeReadAsOtherTypes(string: String, yaml: String) {
        #expect(YAMLText.text(["a": .string(string)]) == "a: \(yaml)\n")
    }

    @Test(arguments: OutputFormat.allCases)
    func controlCharactersAreEscapedOnATerminal(format: OutputFormat) {
        let item: JSONValue = ["id": 1, "a\u{1B}[2J": "b\u{1B}[31m\u{202E}c"]
        let shown = text(format, [[item]], isTerminal: true).text
        #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" } && shown.contains("31m"))
    }

    @Test(
        arguments: [
            ("n", [3, 1, 2, 4]), ("-n", [2, 1, 3, 4]), ("t", [2, 1, 3, 4]), ("-t", [3, 1, 2, 4]),
            ("o.x,-n", [2, 3, 1, 4]),
            ("none", [1, 2, 3, 4]),
        ])
    func printedItemsAreSortedByFields(keys: String, ids: [Int]) throws {
        let items: [JSONValue] = [
            ["id": 1, "n": 9, "t": "b", "o": ["x": 2]], ["id": 2, "n": 10, "t": "A", "o": ["x": 1]],
            ["id": 3, "n": .number("-1.5"), "t": "c", "o": ["x": 1]], ["id": 4, "n": .null],
        ]
        var order = SortOrder(keys: try #require(SortOrder.keys(keys)))
        #expect(order.sorted(items).map { $0["id"]?.int } == ids)
        order.isReversed = true
        #expect(order.sorted(items).map { $0["id"]?.int } == ids.reversed())
        #expect(order.isNeeded && SortOrder(isReversed: true).isNeeded && !SortOrder().isNeeded)
    }
}
