import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct HelpCommandTests {
    private static func parse(_ words: [String]) throws(UsageError) -> Command {
        try CommandLineParser.parse(words.map { Argument($0.utf8) })
    }

    @Test func helpCommandEqualsHelpOption() throws { #expect(try Self.parse(["help"]) == .help) }

    @Test func helpOnATopicShowsItsText() throws {
        #expect(try Self.parse(["help", "offline"]) == .topic("offline"))
        #expect(try Self.parse(["help", "catalog", "infer"]) == .topic("catalog infer"))
        #expect(HelpTopic.find(["catalog infer"])?.name == "catalog infer")
        #expect(try Self.parse(["help", "man"]) == .show(ManualPage.text))
    }

    @Test func completionsCommandPrintsTheScript() throws {
        for name in CompletionScript.names {
            #expect(try Self.parse(["completions", name]) == .show(#require(CompletionScript.text(for: name))))
        }
    }

    /// The words after `complete --` are not parsed, because an incomplete command line may be invalid.
    @Test func incompleteCommandLineIsNotParsedBeforeCompletion() throws {
        #expect(
            try Self.parse(["complete", "--", "--nonsense", "--help", ""]) == .complete(["--nonsense", "--help", ""]))
        #expect(try Self.parse(["complete", "--", "--", ""]) == .complete(["--", ""]))
        #expect(try Self.parse(["complete", "call", "--"]) == .complete(["call", "--"]))
        #expect(try Self.parse(["complete"]) == .complete([]))
        #expect(
            try CommandLineParser.parse([Argument("complete".utf8), Argument("--".utf8), Argument([0xFF])])
                == .complete(["\u{FFFD}"]))
    }

    @Test(arguments: [
        (["completions"], "'larder completions' needs one of bash, zsh, fish"),
        (["completions", "fsih"], "unknown shell 'fsih'; did you mean 'fish'?"),
        (["completions", "bash", "zsh"], "'larder completions' takes one shell; remove 'zsh'"),
        (["help", "catalog", "nonsense"], "unknown topic 'catalog nonsense'; see larder --help"),
    ])
    func unknownShellOrTopicIsRefused(words: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try Self.parse(words) }
    }

    @Test func unknownHelpTopicIsReadAsAResource() throws {
        let options = CommandLineParserTests.with { $0.catalog = "a" }
        #expect(try Self.parse(["help", "thing", "--catalog", "a"]) == .resourceHelp("thing", options))
        for words in [["list", "thing", "--help", "--catalog", "a"], ["get", "thing", "-h", "--catalog", "a"]] {
            #expect(try Self.parse(words) == .resourceHelp("thing", options))
        }
        #expect(try Self.parse(["list", "--help"]) == Self.parse(["help", "list"]))
        #expect(try Self.parse(["cache", "stats", "--help"]) == Self.parse(["help", "cache"]))
    }
}
