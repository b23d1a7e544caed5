import DataSources
import JSON
import System

/// How important a line of the log is.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    /// The order of importance, the most important first.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable {
    case text, json
}

/// Writes the log to stderr, a line an event, without secrets.
struct Logger: Sendable {
    let level: LogLevel
    let format: LogFormat
    let clock: any ClockContract
    let stream: LogStream
    private let redactor: CurrentRedactor

    init(
        level: LogLevel, format: LogFormat, redactor: CurrentRedactor, clock: any ClockContract,
        stream: LogStream = LogStream(2)
    ) {
        self.level = level
        self.format = format
        self.clock = clock
        self.stream = stream
        self.redactor = redactor
    }

    /// Logs a line, if its level is wanted. It never waits.
    func log(_ level: LogLevel, _ message: String) {
        guard level <= self.level else { return }
        stream.write(line(level, message)) { line(.warning, $0) }
    }

    /// Returns the line of an event, with its newline. Control characters in the message are escaped in both formats
    /// and on every stream, because a log file is read on a terminal later.
    func line(_ level: LogLevel, _ message: String) -> String {
        let message = redactor.redact(message)
        switch format {
        case .text: return "larder: \(level.rawValue): \(VisibleText.line(message))\n"
        case .json:
            let event = JSONObject([
                ("time", .string(clock.now().rfc3339)), ("level", .string(level.rawValue)),
                ("message", .string(message)),
            ])
            return VisibleText.json(JSONValue.object(event).text) + "\n"
        }
    }
}

/// Where the log goes: a descriptor that may never make the server wait.
///
/// A parent that never reads the log must not stall what it asked for. So a line that finds no room is dropped, and how
/// many were is said as soon as there is room again.
final class LogStream: Sendable {
    /// As much as a pipe takes whole or not at all (POSIX, `PIPE_BUF` on Linux; a longer line is cut).
    private static let maxLine = 4096

    private struct State {
        /// Made at the first line.
        var output: OutputDescriptor?
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Lock(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line with its newline, or drops it.
    ///
    /// - Parameter notice: makes a line of what is to be said of those that were dropped before.
    func write(_ line: String, notice: (String) -> String) {
        state.withLock { state in
            let output = state.output ?? OutputDescriptor(descriptor)
            state.output = output
            if state.lost > 0 {
                let count = state.lost
                let text = notice(
                    "\(count) line\(count == 1 ? "" : "s") of the log found no room and \(count == 1 ? "was" : "were") dropped"
                )
                if !Self.write(text, to: output) {
                    state.lost += 1
                    return
                }
                state.lost = 0
            }
            if !Self.write(line, to: output) { state.lost += 1 }
        }
    }

    /// Returns whether the line is written: one that is on a descriptor which nobody reads any more counts as such.
    private static func write(_ line: String, to output: OutputDescriptor) -> Bool {
        var bytes = Array(line.utf8)
        if bytes.count > maxLine {
            // Not within a character: its first byte is no continuation (RFC 3629).
            var end = maxLine - 4
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes = bytes.prefix(end) + Array("...\n".utf8)
        }
        return bytes.withUnsafeBytes { output.writeWhole($0) }
    }
}
