import DataSources
import JSON

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
    let redactor: Redactor
    let clock: any ClockContract

    /// Logs a line, if its level is wanted.
    func log(_ level: LogLevel, _ message: String) {
        guard level <= self.level else { return }
        StandardStreams.write(line(level, redactor.redact(message)), to: 2)
    }

    private func line(_ level: LogLevel, _ message: String) -> String {
        switch format {
        case .text: "larder: \(level.rawValue): \(message)\n"
        case .json:
            JSONValue.object(
                JSONObject([
                    ("time", .string(clock.now().rfc3339)), ("level", .string(level.rawValue)),
                    ("message", .string(message)),
                ])
            ).text + "\n"
        }
    }
}
