import JSON
import RPCServer
import System

/// A progress bar on stderr. The bar redraws one line of the terminal, and erases this line at the end.
final class ProgressBar: Sendable {
    private let title: String
    private let terminal: @Sendable () -> Terminal
    private let write: @Sendable (String) -> Void
    private let hasEnded = Lock(false)

    /// Creates a progress bar.
    ///
    /// - Parameters:
    ///   - terminal: returns the current properties of the terminal, because the user may change the size of the
    ///     window.
    ///   - write: writes text to the terminal.
    init(
        _ title: String, terminal: @escaping @Sendable () -> Terminal,
        write: @escaping @Sendable (String) -> Void = { StandardStreams.write($0, to: 2) }
    ) {
        self.title = title
        self.terminal = terminal
        self.write = write
    }

    /// Draws the progress that a `$/progress` notification reports.
    ///
    /// - Parameter value: the notification's `value` member.
    func show(_ value: JSONValue) {
        if value["kind"] == "end" { return }
        let terminal = terminal()
        guard terminal.canRedraw else { return }
        let line = Self.line(
            title, percentage: value["percentage"]?.int, value["message"]?.string ?? "", width: terminal.width - 1)
        // The lock prevents a redraw after `end()` has erased the line.
        hasEnded.withLock { hasEnded in
            if !hasEnded { write("\r\(line)\u{1B}[K") }
        }
    }

    /// Erases the progress bar. Later calls of `show` do nothing.
    func end() {
        let canRedraw = terminal().canRedraw
        hasEnded.withLock { hasEnded in
            if !hasEnded, canRedraw { write("\r\u{1B}[K") }
            hasEnded = true
        }
    }

    /// Returns the terminal line for a progress state. A narrow line contains no bar.
    ///
    /// - Parameters:
    ///   - percentage: the completed part of the work, from 0 to 100; nil if unknown.
    ///   - width: the maximum width of the line, in columns.
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
