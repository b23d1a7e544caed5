import JSON
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TerminalTests {
    private func terminal(_ isTerminal: Bool, _ columns: Int, _ variables: [String: String]) -> Terminal {
        Terminal(isTerminal: isTerminal, columns: columns) { variables[$0] }
    }

    @Test(
        arguments: [
            (100, nil, 100), (100, "50", 100), (0, "50", 50), (0, nil, 80), (0, "0", 80), (0, "-1", 80),
            (0, "wide", 80),
            (3, nil, 10), (0, "5", 10), (0, "9999999", 10_000), (0, "99999999999999999999", 80),
        ] as [(Int, String?, Int)])
    func lineWidthComesFromTheWindowOrTheVariableCOLUMNS(columns: Int, variable: String?, width: Int) {
        #expect(terminal(true, columns, variable.map { ["COLUMNS": $0] } ?? [:]).width == width)
    }

    @Test func coloursNeedACapableTerminalAndAnUnsetNOCOLOR() {
        #expect(terminal(true, 80, ["TERM": "xterm"]).hasColour)
        #expect(terminal(true, 80, ["TERM": "xterm", "NO_COLOR": ""]).hasColour)
        #expect(!terminal(true, 80, ["TERM": "xterm", "NO_COLOR": "0"]).hasColour)
        #expect(!terminal(true, 80, ["TERM": "dumb"]).hasColour && !terminal(true, 80, [:]).hasColour)
        #expect(!terminal(false, 80, ["TERM": "xterm"]).hasColour && !terminal(false, 80, ["TERM": "xterm"]).canRedraw)
        #expect(terminal(true, 80, ["TERM": "xterm", "NO_COLOR": "1"]).canRedraw)
    }

    @Test(
        arguments: [
            (60, 50, "page 1 of 2", "thing  [################.................]  50%  page 1 of 2"),
            (60, 0, "", "thing  [........................................]  0%"),
            (20, 50, "page 1 of 2", "50%  page 1 of 2"), (10, 50, "page 1 of 2", "50%  page…"),
            (60, 900, "", "thing  [########################################]  100%"),
        ])
    func progressBarFitsOneLine(width: Int, percentage: Int, message: String, line: String) {
        #expect(ProgressBar.line("thing", percentage: percentage, message, width: width) == line)
        #expect(TextWidth.of(line) <= width)
    }

    @Test func progressBarIsNotDrawnAfterItsEnd() {
        let written = Lock("")
        let terminal = terminal(true, 40, ["TERM": "xterm"])
        let bar = ProgressBar("thing", terminal: { terminal }) { text in written.withLock { $0 += text } }
        bar.show(["kind": "report", "percentage": 50])
        #expect(written.withLock { $0 }.hasSuffix("50%\u{1B}[K"))
        bar.show(["kind": "end"])
        bar.end()
        bar.show(["kind": "report", "percentage": 60])
        bar.end()
        #expect(written.withLock { $0 }.hasSuffix("50%\u{1B}[K\r\u{1B}[K"))
    }
}
