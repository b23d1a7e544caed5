import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares printed items in all formats and at several widths with golden files.
@Suite(.limited) struct StoredViewsTests {
    private static let items: [JSONValue] = [
        [
            "id": 1, "name": "Ada Lovelace", "owner_id": "3c003a04-bbb6-4a26-8b14-e0123456789a", "isNew": true,
            "weight": .number("1.50"), "at": "2026-01-31T09:05:00.250Z", "url": "https://zoo.test/animals/1",
            "owner": ["id": 7, "name": "Bo", "address": ["city": "Ulm", "lines": ["a", "b"]]],
            "tags": ["a", "b", "c", "d"],
            "friends": [["id": 2, "since": "2020-01-31"], ["id": 3]], "none": .null, "empty": "",
            "text":
                "A first line that is longer than most terminals are wide, so that it must be broken.\nA second line.",
        ],
        [
            "id": 20, "name": "日本 \u{1B}[31m", "owner_id": "4", "isNew": false, "weight": -3, "at": "2026-02-31",
            "url": "-",
            "owner": .null, "tags": [], "friends": [], "none": .null, "empty": "", "text": "yes", "more": "only here",
        ],
        ["id": 300, "name": "C, \"D\"", "tags": ["x"], "owner": [:], "text": "1"],
    ]

    private func lines(_ format: OutputFormat, width: Int, fields: [String]? = nil, colour: ColourChoice) -> [String] {
        var options = CommandOptions()
        options.people.format = format
        options.people.fields = fields
        let terminal = Terminal(isTerminal: true, columns: width, colour: colour, variable: { _ in "xterm" })
        var text = ItemsText(TerminalView(terminal, isSingle: false, options, ClockMock()))
        let pages = text.text(Array(Self.items.prefix(2))) + text.text(Array(Self.items.dropFirst(2))) + text.end
        let title = "\(format) \(width) \(colour) \(fields?.joined(separator: ",") ?? "")"
        return ["== \(title)"] + pages.replacing("\u{1B}", with: "^").split(separator: "\n").map { "\($0)|" }
            + (text.notes + text.warnings).map { "note: \($0)" }
    }

    @Test(arguments: OutputFormat.allCases) func printedItemsMatchTheRecording(format: OutputFormat) throws {
        var lines: [String] = []
        let widths = [.table, .record].contains(format) ? [10, 25, 40, 80, 132, 400] : [80]
        for width in widths { lines += self.lines(format, width: width, colour: .never) }
        lines += self.lines(format, width: 80, colour: .always)
        for fields in [["name", "owner.name", "friends.id", "nmae"], ["id"], ["text", "at", "weight"]] {
            for width in widths.prefix(3) { lines += self.lines(format, width: width, fields: fields, colour: .never) }
        }
        try GoldenFile.expect(lines, in: "people/\(format).txt")
    }

    @Test func summariesMatchTheRecording() throws {
        let results: [JSONValue] = [
            ["items": 3, "pages": 2, "fetched": 1, "reused": 1, "complete": true], ["items": 1, "complete": false], [:],
            [
                "items": 9, "added": 1, "requests": 2, "complete": true, "changesOmitted": 2,
                "changes": [["change": "added", "id": "a"], ["change": "removed", "id": 7]],
            ],
        ]
        var lines: [String] = []
        for format in OutputFormat.allCases {
            var options = CommandOptions()
            options.people.format = format
            let terminal = Terminal(isTerminal: true, columns: 40, colour: .never, variable: { _ in "xterm" })
            let view = TerminalView(terminal, isSingle: false, options, ClockMock())
            for text in results.flatMap({ [view.prefetched($0), view.synced($0)] }) {
                lines += ["== \(format)"] + text.split(separator: "\n").map(String.init)
            }
        }
        try GoldenFile.expect(lines, in: "people/summaries.txt")
    }

    @Test func progressMatchesTheRecording() throws {
        var lines: [String] = []
        for width in [10, 20, 30, 60, 100] {
            for percentage in [nil, -5, 0, 1, 50, 99, 100, 120] {
                for message in ["", "page 2 of 9"] {
                    let bar = ProgressBar.line("list thing", percentage: percentage, message, width: width)
                    lines.append("\(width) \(percentage.map(String.init) ?? "-") '\(message)': \(bar)|")
                }
            }
        }
        for size in [0, 1, 1023, 1024, 1025, 1126, 1127, 1536, 1 << 20, (1 << 20) - 1, 5 << 30, 1 << 40, 3 << 41, .max]
        {
            lines.append("\(size) bytes: \(SizeText.of(size))")
        }
        try GoldenFile.expect(lines, in: "people/progress.txt")
    }
}
