import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct ManualPageTests {
    @Test func manPageHasEveryCommandOptionAndTopic() {
        let page = ManualPage.text
        for command in CommandDefinition.all where !command.name.isEmpty {
            #expect(page.contains(".SS \"larder \(command.name)\"\n"), "\(command.name)")
        }
        for option in OptionDefinition.all { #expect(page.contains("\\fB\(Roff.escaped(option.head))\\fR\n")) }
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.prefix(5)
        #expect(
            sections == [
                ".SH \"NAME\"", ".SH \"SYNOPSIS\"", ".SH \"DESCRIPTION\"", ".SH \"COMMANDS\"", ".SH \"OPTIONS\"",
            ])
        for example in CommandDefinition.all.filter({ !$0.name.isEmpty }).flatMap(\.examples) {
            #expect(page.contains("\\fB\(Roff.escaped(example.line))\\fR\n\(Roff.escaped(example.help))\n"))
        }
        #expect(page.contains(".SH \"EXIT CODES\"\n") && page.contains(".SH \"ENVIRONMENT\"\n"))
        #expect(page.hasPrefix(".TH \"LARDER\" 1 \"\" \"larder \(Version.current)\""))
    }

    @Test(arguments: [
        ("a-b", "a\\-b"), (".so x", "\\&.so x"), ("'x'", "\\(aqx\\(aq"), ("a\\n", "a\\en"), ("`~^", "\\(ga\\(ti\\(ha"),
        ("a.b", "a.b"),
    ])
    func textOfTheManPageIsEscapedForRoff(text: String, roff: String) {
        #expect(Roff.escaped(text) == roff)
    }

    /// roff treats a line that starts with `.` or `'` as a request.
    @Test func onlyKnownRoffRequestsAreWritten() {
        let requests = [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"]
        for line in ManualPage.text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
        }
    }
}
