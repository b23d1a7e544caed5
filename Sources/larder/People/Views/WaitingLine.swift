import JSON
import RPCServer
import System

/// A line on stderr that appears during a slow request, and disappears when the reply arrives.
final class WaitingLine: Sendable {
    /// The milliseconds until the line appears: at least 300 after the start of the command, and at least 50 after the
    /// start of a request. The second delay prevents flicker while fast pages arrive.
    private static let (delay, laterDelay) = (300, 50)
    private static let interval = Duration.seconds(1)

    private struct State {
        var detail = ""
        /// The number of finished requests.
        var ended = 0
        var isShown = false
    }

    private let title: String
    private let activity: String
    private let terminal: @Sendable () -> Terminal
    private let write: @Sendable (String) -> Void
    private let state = Monitor(State())
    private let start = Monotonic.milliseconds

    /// Creates the line that the terminal shows during the requests of one command.
    ///
    /// - Parameters:
    ///   - title: the name of the resource.
    ///   - activity: the text after the title.
    ///   - terminal: returns the current properties of stderr.
    ///   - write: writes text to the terminal.
    init(
        _ title: String, activity: String = "waiting for the API", terminal: @escaping @Sendable () -> Terminal,
        write: @escaping @Sendable (String) -> Void = { StandardStreams.write($0, to: 2) }
    ) {
        (self.title, self.activity) = (title, activity)
        self.terminal = terminal
        self.write = write
    }

    /// A summary of the data received so far, such as `40 items, 2 pages`.
    var detail: String {
        get { state.withLock { $0.detail } }
        set { state.withLock { $0.detail = newValue } }
    }

    /// Runs a request. If the request is slow, the terminal shows this line until it ends.
    func during<Result>(_ body: () -> Result) -> Result {
        let canRedraw = terminal().canRedraw
        if canRedraw { begin() }
        defer { if canRedraw { erase() } }
        return body()
    }

    private func begin() {
        let number = state.withLock { $0.ended }
        let first = max(Self.laterDelay, Self.delay - (Monotonic.milliseconds - start))
        // If no thread can be started, the request runs without showing the line.
        _ = Thread.start("larder-waiting") { [self] in
            var limit = Duration.milliseconds(first)
            while !state.wait(upTo: limit, until: { $0.ended > number }) {
                show((Monotonic.milliseconds - start) / 1000, number)
                limit = Self.interval
            }
        }
    }

    private func show(_ seconds: Int, _ number: Int) {
        let terminal = terminal()
        state.withLock { state in
            guard state.ended == number else { return }
            let text = [title, state.detail, activity + (seconds > 0 ? ", \(seconds) s" : "")]
                .filter { !$0.isEmpty }.map { VisibleText.line($0) }.joined(separator: "  ")
            if !state.isShown, !SignalAction.isIgnored(SIGINT) { SignalAction.handle(SIGINT, with: Self.interrupt) }
            write("\r\(TextWidth.cut(text, to: terminal.width - 1))\u{1B}[K")
            state.isShown = true
        }
    }

    private func erase() {
        state.change { state in
            state.ended += 1
            if state.isShown {
                write("\r\u{1B}[K")
                if !SignalAction.isIgnored(SIGINT) { signal(SIGINT, SIG_DFL) }
            }
            state.isShown = false
        }
    }

    /// The signal handler for Ctrl-C. It erases the waiting line, and then ends the process with the default action of
    /// the signal.
    private static let interrupt: @convention(c) (Int32) -> Void = { number in
        // A signal handler must not allocate memory.
        let text: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
        withUnsafeBytes(of: text) { _ = SystemCall.write($0, to: 2) }
        signal(number, SIG_DFL)
        raise(number)
    }
}
