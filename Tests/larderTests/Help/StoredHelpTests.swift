import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares help pages and completion scripts with the stored outputs of the program.
@Suite(.limited) struct StoredHelpTests {
    @Test func helpPagesMatchTheStoredPages() throws {
        var text = HelpText.text()
        for name in HelpTopic.names {
            let page = name == ManualPage.topic ? ManualPage.text : HelpTopic.find([name]).map { HelpText.text(of: $0) }
            text += "\n===== \(name)\n" + (page ?? "no such topic\n")
        }
        try GoldenFile.expect(text.replacing(Version.current, with: "VERSION"), asProgramOutput: "help.txt")
    }

    @Test(arguments: CompletionScript.names) func completionScriptMatchesTheStoredScript(shell: String) throws {
        try GoldenFile.expect(
            #require(CompletionScript.text(for: shell)), asProgramOutput: "completions.\(shell).txt")
    }
}
