import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct HelpTopicTests {
    @Test func eachTopicHasExamples() throws {
        for name in HelpTopic.names where name != ManualPage.topic {
            let text = HelpText.text(of: try #require(HelpTopic.find([name]), "\(name)"))
            #expect(text.contains("Examples:\n  # "), "\(name)")
            #expect(text.hasSuffix("\n") && !text.contains("\n\n\n"), "\(name)")
        }
        #expect(HelpTopic.names.count == Set(HelpTopic.names).count)
    }

    @Test func helpTopicOfAGroupListsAllCommandsOfTheGroup() throws {
        let text = HelpText.text(of: try #require(HelpTopic.find(["catalog"])))
        #expect(CommandName.members(of: "catalog").count == 5)
        for name in CommandName.members(of: "catalog") { #expect(text.contains("larder \(name.rawValue)")) }
        let one = HelpText.text(of: try #require(HelpTopic.find(["catalog", "infer"])))
        #expect(one.contains("--graphql TYPE") && !one.contains("larder catalog show"))
    }

    @Test func topicHasItsNameAndTitle() {
        let topic = HelpTopic.find(["catalogs"])
        #expect(topic?.name == "catalogs" && topic?.title.isEmpty == false && topic?.title != "catalogs")
        let command = HelpTopic.find(["catalog", "infer"])
        #expect(command?.name == "catalog infer" && command?.title == "")
    }

    @Test func unknownTopicIsNotFound() {
        for words in [[], [""], ["nonsense"], ["catalog", "nonsense"], ["call", "call"]] {
            #expect(HelpTopic.find(words) == nil)
        }
    }

    /// Only examples and usage lines may be wider than the terminal.
    @Test func paragraphsOfTheHelpFitATerminal() throws {
        for topic in HelpTopic.all {
            let lines = HelpText.text(of: topic).split(separator: "\n")
            for line in lines where !line.hasPrefix("  ") { #expect(line.count <= 79, "\(line)") }
        }
        #expect(HelpLayout.standard.paragraph("a bb ccc", indent: "  ") == "  a bb ccc")
        let words = Array(repeating: "word", count: 40).joined(separator: " ")
        let laid = HelpLayout.standard.paragraph(words, indent: "  ").split(separator: "\n")
        #expect(laid.count == 3 && laid.allSatisfy { $0.count <= 79 && $0.hasPrefix("  word") })
        let long = String(repeating: "x", count: 100)
        #expect(HelpLayout.standard.paragraph("a \(long) b", indent: "") == "a\n\(long)\nb")
    }

    @Test func descriptionsInTheHelpAreAlignedInOneColumn() {
        let row = HelpLayout.standard.table([(term: "a", meaning: "one"), (term: "bbb", meaning: "two")])
        #expect(row == "  a    one\n  bbb  two")
        let term = String(repeating: "t", count: 27)
        let meaning = Array(repeating: "word", count: 20).joined(separator: " ")
        let table = HelpLayout.standard.table([(term: term, meaning: meaning), (term: "a", meaning: "one")])
        let lines = table.split(separator: "\n")
        let column = String(repeating: " ", count: 30)
        #expect(lines.first ?? "" == "  \(term)" && lines.last ?? "" == "  a\(column.dropFirst(3))one")
        #expect(lines.count == 4 && lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(column + "word") })
    }
}
