import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct HelpTextTests {
    @Test func everyOptionHasItsOwnLine() {
        let words = HelpText.text.split(whereSeparator: { " \n".contains($0) }).joined(separator: " ")
        let lines = HelpText.text.split(separator: "\n")
        for option in OptionDefinition.all {
            let head = "  \(option.head)"
            #expect(lines.filter { $0 == head || $0.hasPrefix(head + "  ") }.count == 1, "\(option.name)")
            #expect(words.contains("\(option.head) \(option.help)"), "\(option.name)")
        }
    }

    @Test func overviewOfTheHelpFitsATerminal() {
        for line in HelpText.text.split(separator: "\n").dropFirst() { #expect(line.count <= 79, "\(line)") }
        #expect(HelpText.text.hasSuffix("\n"))
        #expect(HelpText.text.hasPrefix("larder \(Version.current)"))
    }
}
