import DataSources
import JSON
import System

/// How important a line of the log is.
enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case error, warning, info, debug

    /// The order of importance, the most important first.
    static func < (left: LogLevel, right: LogLevel) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// How a line of the log is written.
enum LogFormat: String, CaseIterable, Sendable {
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

    /// The line of an event, with its newline; a control character in the message cannot end it.
    func line(_ level: LogLevel, _ message: String) -> String {
        let message = redactor.redact(message)
        switch format {
        case .text: return "larder: \(level.rawValue): \(Self.onOneLine(message))\n"
        case .json:
            return JSONValue.object(
                JSONObject([
                    ("time", .string(clock.now().rfc3339)), ("level", .string(level.rawValue)),
                    ("message", .string(message)),
                ])
            ).text + "\n"
        }
    }

    private static func onOneLine(_ message: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in message.unicodeScalars {
            out.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(out)
    }
}
