import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct HelpTextTests {
    @Test func everyOptionHasItsOwnLine() {
        let words = HelpText.text().split(whereSeparator: { " \n".contains($0) }).joined(separator: " ")
        let lines = HelpText.text().split(separator: "\n")
        for option in OptionDefinition.all {
            let head = "  \(option.head)"
            #expect(lines.filter { $0 == head || $0.hasPrefix(head + "  ") }.count == 1, "\(option.name)")
            #expect(words.contains("\(option.head) \(option.help)"), "\(option.name)")
        }
    }

    @Test func overviewOfTheHelpFitsATerminal() {
        for line in HelpText.text().split(separator: "\n") { #expect(line.count <= 79, "\(line)") }
        #expect(HelpText.text().hasSuffix("\n"))
        #expect(HelpText.text().hasPrefix("larder \(Version.current)"))
    }

    @Test(arguments: [(20, 39), (40, 39), (60, 59), (100, 99), (300, 99)])
    func widthOfTheHelpFollowsTheTerminal(columns: Int, width: Int) {
        let layout = HelpLayout(columns: columns)
        let words = Array(repeating: "word", count: 60).joined(separator: " ")
        let lines = layout.paragraph(words, indent: "  ").split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width } && lines.contains { $0.count > width - 5 })
        // Only examples and long words may be wider.
        for line in HelpText.text(layout).split(separator: "\n") where !line.hasPrefix("  larder ") {
            #expect(line.count <= width || !line.drop { $0 == " " }.contains(" "), "\(line)")
        }
    }
}
