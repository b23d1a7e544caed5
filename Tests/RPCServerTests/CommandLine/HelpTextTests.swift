import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct HelpTextTests {
    @Test func everyOptionStandsOnALineOfItsOwn() {
        let lines = HelpText.text.split(separator: "\n", omittingEmptySubsequences: false)
        for option in OptionDefinition.all {
            let head = option.argument.map { "  \(option.name) \($0)  " } ?? "  \(option.name)  "
            let mine = lines.filter { $0.hasPrefix(head) }
            #expect(mine.count == 1, "\(option.name)")
            #expect(mine.first?.hasSuffix(option.help) == true, "\(option.name)")
        }
    }

    @Test func itFitsATerminal() {
        for line in HelpText.text.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        #expect(HelpText.text.hasSuffix("\n"))
        #expect(HelpText.text.hasPrefix("larder \(Version.current)"))
    }
}
