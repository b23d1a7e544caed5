import JSON
import System
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct ChangeTextTests {
    private let now = Timestamp(milliseconds: 1_769_850_300_250)

    private func text(_ change: ItemChange, isTable: Bool, columns: Int = 40) -> String {
        var options = CommandOptions()
        options.people.isTable = isTable
        let terminal = Terminal(isTerminal: false, columns: columns, variable: { _ in nil })
        let text = ChangeText(view: TerminalView(terminal, isSingle: false, options, SystemClock()))
        return text.text(change, now: now)
    }

    private let change = ItemChange(
        kind: .changed, item: ["id": 7, "name": "Bird World"],
        fields: [
            .init(name: "type", old: "Planet", new: "Moon"), .init(name: "origin.name", old: nil, new: "a\u{1B}[2Jb"),
            .init(name: "long", old: .string(String(repeating: "x", count: 99)), new: .null),
        ])

    @Test func changeForATerminalContainsTheItemAndItsFields() {
        let lines = text(change, isTable: true).split(separator: "\n").map(String.init)
        #expect(lines[0] == "\(LocalTime.text(now)) changed 7 Bird World")
        #expect(lines[1] == "  type         Planet → Moon")
        #expect(lines[2] == "  origin.name  (none) → a\\u001b[2Jb")
        #expect(lines[3].hasPrefix("  long         xxx") && lines[3].hasSuffix("…"))
        #expect(lines.allSatisfy { TextWidth.of($0) <= 40 } && lines.count == 4)
    }

    @Test func idIsShownOnceIfAnItemHasNoName() {
        let removed = ItemChange(kind: .removed, item: ["id": "a-1"], fields: [])
        #expect(text(removed, isTable: true) == "\(LocalTime.text(now)) removed a-1\n")
    }

    @Test func changeForAProgramIsALineOfJSON() {
        let change = ItemChange(
            kind: .changed, item: ["id": 7],
            fields: [.init(name: "a.b", old: 1, new: .null), .init(name: "c", old: nil, new: 2)])
        #expect(
            text(change, isTable: false)
                == #"{"at":"2026-01-31T09:05:00.250Z","change":"changed","item":{"id":7},"#
                + #""fields":{"a.b":{"old":1,"new":null},"c":{"new":2}}}"# + "\n")
        let added = ItemChange(kind: .added, item: ["id": 7], fields: [])
        #expect(
            text(added, isTable: false)
                == #"{"at":"2026-01-31T09:05:00.250Z","change":"added","item":{"id":7}}"# + "\n")
    }

    @Test func hoursMinutesAndSecondsOfALocalTimeHaveTwoDigits() {
        let text = LocalTime.text(Timestamp(milliseconds: 1_769_850_309_999))
        #expect(text.count == 8 && text.hasSuffix(":09"))
    }
}
