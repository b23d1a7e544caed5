import JSON
import RPCServer
import System

/// Shows on a terminal's stderr how far a long work is, always in the same line, and takes the line away at the end.
final class ProgressBar: Sendable {
    private let title: String
    private let terminal: @Sendable () -> Terminal
    private let write: @Sendable (String) -> Void
    private let hasEnded = Lock(false)

    /// - Parameters:
    ///   - terminal: as it is at each moment: windows change their size.
    ///   - write: takes what the terminal gets.
    init(
        _ title: String, terminal: @escaping @Sendable () -> Terminal,
        write: @escaping @Sendable (String) -> Void = { StandardStreams.write($0, to: 2) }
    ) {
        self.title = title
        self.terminal = terminal
        self.write = write
    }

    /// Shows a value of `$/progress`.
    func show(_ value: JSONValue) {
        if value["kind"] == "end" { return }
        let terminal = terminal()
        guard terminal.canRedraw else { return }
        let line = Self.line(
            title, percentage: value["percentage"]?.int, value["message"]?.string ?? "", width: terminal.width - 1)
        // Under the lock: nothing may come after the end.
        hasEnded.withLock { hasEnded in
            if !hasEnded { write("\r\(line)\u{1B}[K") }
        }
    }

    /// Leaves the line as it was before.
    func end() {
        let canRedraw = terminal().canRedraw
        hasEnded.withLock { hasEnded in
            if !hasEnded, canRedraw { write("\r\u{1B}[K") }
            hasEnded = true
        }
    }

    /// One line of no more than so many columns; the bar is what a narrow one does without.
    ///
    /// - Parameter percentage: nil where nobody knows it.
    static func line(_ title: String, percentage: Int?, _ message: String, width: Int) -> String {
        let head = VisibleText.line(title)
        guard let percentage = percentage.map({ max(0, min(100, $0)) }) else {
            return TextWidth.cut("\(head)  \(VisibleText.line(message))", to: width)
        }
        let tail = "\(percentage)%" + (message.isEmpty ? "" : "  \(VisibleText.line(message))")
        let room = min(40, width - TextWidth.of(head) - TextWidth.of(tail) - 6)
        guard room >= 5 else { return TextWidth.cut(tail, to: width) }
        let done = room * percentage / 100
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: room - done)
        return "\(head)  [\(bar)]  \(tail)"
    }
}
