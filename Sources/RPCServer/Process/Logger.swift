import DataSources
import JSON
import System

/// The importance of a log line.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    /// Orders log levels by importance; the most important level comes first.
    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// The format of the log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    case text, json
}

/// Writes the log to stderr, one line per event, after redacting secrets.
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

    /// Logs a message if its level is enabled. The method never blocks.
    func log(_ level: LogLevel, _ message: String) {
        guard level <= self.level else { return }
        stream.write(line(level, message)) { line(.warning, $0) }
    }

    /// Returns the log line of an event, with a newline. Control characters in the message are always escaped, because
    /// a terminal may later show a log file.
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

/// Writes log lines to a descriptor without blocking the server.
///
/// If the descriptor cannot accept a line, the line is dropped. A later line reports the number of dropped lines.
final class LogStream: Sendable {
    /// The maximum length of a log line in bytes. Longer lines are cut. A pipe accepts a line of this length completely
    /// or not at all (`PIPE_BUF` on Linux).
    private static let maxLine = 4096

    private struct State {
        /// The output descriptor; nil before the first log line.
        var output: OutputDescriptor?
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Lock(State())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a log line that ends with a newline. Drops the line if the descriptor cannot accept it.
    ///
    /// - Parameter notice: formats the log line that reports the number of dropped lines.
    func write(_ line: String, notice: (String) -> String) {
        state.withLock { state in
            let output = state.output ?? OutputDescriptor(descriptor)
            state.output = output
            if state.lost > 0 {
                let count = state.lost
                let text = notice(
                    "\(count) log line\(count == 1 ? " was" : "s were") dropped: stderr is not read fast enough"
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

    /// Writes a log line. Returns false if the descriptor cannot accept the line without blocking. If the pipe is
    /// closed, drops the line and returns true.
    private static func write(_ line: String, to output: OutputDescriptor) -> Bool {
        var bytes = Array(line.utf8)
        if bytes.count > maxLine {
            // The cut must not split a character. In UTF-8, a character's first byte is not a continuation byte (RFC
            // 3629).
            var end = maxLine - 4
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes = bytes.prefix(end) + Array("...\n".utf8)
        }
        return bytes.withUnsafeBytes { output.writeWhole($0) }
    }
}
