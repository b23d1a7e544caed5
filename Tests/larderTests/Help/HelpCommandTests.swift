import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct HelpCommandTests {
    private static func parse(_ words: [String]) throws(UsageError) -> Command {
        try CommandLineParser.parse(words.map { Argument($0.utf8) })
    }

    @Test func helpIsTheSameAsTheOption() throws { #expect(try Self.parse(["help"]) == .help) }

    @Test func aTopicIsToldAsItIs() throws {
        let topic = try #require(HelpTopic.find(["offline"]))
        #expect(try Self.parse(["help", "offline"]) == .show(HelpText.text(of: topic)))
        #expect(try Self.parse(["help", "man"]) == .show(ManualPage.text))
    }

    @Test func aScriptIsShown() throws {
        for name in CompletionScript.names {
            #expect(try Self.parse(["completions", name]) == .show(#require(CompletionScript.text(for: name))))
        }
    }

    /// What is typed so far need not make sense, and `--help` in it is a word like others.
    @Test func whatIsTypedIsNotRead() throws {
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
        (["completions"], "completions needs one of bash, zsh, fish"),
        (["completions", "fsih"], "unknown shell 'fsih'; did you mean 'fish'?"),
        (["completions", "bash", "zsh"], "completions bash takes no 'zsh'"),
        (["help", "ofline"], "unknown topic 'ofline'; did you mean 'offline'?"),
        (["help", "catalog", "nonsense"], "unknown topic 'catalog nonsense'; see larder --help"),
    ])
    func whatIsNotThereIsRefused(words: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try Self.parse(words) }
    }
}
