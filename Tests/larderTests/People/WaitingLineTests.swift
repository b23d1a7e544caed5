import RPCServer
import System
import TestSupport
import Testing

@testable import larder

/// Tests the line that shows a request in progress.
@Suite(.limited) struct WaitingLineTests {
    private let written = Monitor<[String]>([])

    private func line(columns: Int = 80, isTerminal: Bool = true) -> WaitingLine {
        let terminal = Terminal(isTerminal: isTerminal, columns: columns) { ["TERM": "xterm"][$0] }
        return WaitingLine("thing", terminal: { terminal }) { [written] text in written.change { $0.append(text) } }
    }

    /// Runs a request that ends when the line has appeared. Returns the written strings without the seconds.
    private func texts(of line: WaitingLine) async -> [String] {
        await onThread { [written] in
            let before = written.withLock { $0.count }
            let isShown = line.during { written.wait(upTo: .seconds(60)) { $0.count > before } }
            #expect(isShown)
            return written.withLock { texts in
                texts[before...].map { $0.replacing(/, [0-9]+ s/, with: "") }.reduce(into: []) { texts, text in
                    if texts.last != text { texts.append(text) }
                }
            }
        }
    }

    @Test func waitingLineIsErasedAfterEachRequest() async {
        let line = line()
        #expect(line.during { 7 } == 7)
        #expect(await texts(of: line) == ["\rthing  waiting for the API\u{1B}[K", "\r\u{1B}[K"])
        line.detail = "3 items\u{1B}"
        #expect(line.detail == "3 items\u{1B}")
        let second = await texts(of: line)
        #expect(second == ["\rthing  3 items\\u001b  waiting for the API\u{1B}[K", "\r\u{1B}[K"])
        // The request is shorter than the delay, so nothing appears and nothing is erased.
        let count = written.withLock { $0.count }
        line.during {}
        #expect(written.withLock { $0.count } == count)
    }

    @Test func waitingLineIsOneColumnNarrowerThanTheTerminal() async {
        #expect(await texts(of: line(columns: 12)) == ["\rthing  wai…\u{1B}[K", "\r\u{1B}[K"])
    }

    @Test func requestRunsWithoutAWaitingLineIfThereIsNoTerminal() {
        #expect(line(isTerminal: false).during { 7 } == 7)
        #expect(written.withLock { $0 } == [])
    }
}
