import DataSources
import JSON
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct LoggerTests {
    private static func logger(_ format: LogFormat, to stream: LogStream = LogStream(2)) -> Logger {
        Logger(
            level: .warning, format: format, redactor: CurrentRedactor(Redactor(secrets: ["hush-hush"])),
            clock: ClockMock(), stream: stream)
    }

    @Test(arguments: LogLevel.allCases)
    func textLogLineIsRedacted(level: LogLevel) {
        #expect(
            Self.logger(.text).line(level, "token hush-hush was refused")
                == "larder: \(level.rawValue): token *** was refused\n")
    }

    @Test func jsonLogLineIsRedactedAndEscaped() {
        #expect(
            Self.logger(.json).line(.error, "a \"hush-hush\"\nb") == """
                {"time":"2026-01-31T09:05:00.250Z","level":"error","message":"a \\"***\\"\\nb"}\n
                """)
    }

    @Test(arguments: LogFormat.allCases)
    func eventIsLoggedAsOneLine(format: LogFormat) {
        let line = Self.logger(format).line(.info, "a\nlarder: error: b\r\u{1B}[31mc\u{202E}\u{2028}d")
        #expect(line.unicodeScalars.filter { $0.properties.generalCategory == .control } == ["\n"])
        #expect(!line.unicodeScalars.contains("\u{202E}") && !line.unicodeScalars.contains("\u{2028}"))
        #expect(line.unicodeScalars.last == "\n")
    }

    @Test func lessImportantLevelsAreNotLogged() {
        let channel = Channel(.pipe)
        let logger = Self.logger(.text, to: LogStream(channel.output))
        for level in LogLevel.allCases { logger.log(level, "a") }
        #expect(String(decoding: channel.readAvailable(), as: UTF8.self) == "larder: error: a\nlarder: warning: a\n")
    }

    @Test func logLevelsAreOrderedByImportance() {
        #expect([LogLevel.debug, .error, .info, .warning].sorted() == [.error, .warning, .info, .debug])
    }
}
