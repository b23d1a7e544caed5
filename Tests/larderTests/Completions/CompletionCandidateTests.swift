import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct CompletionCandidateTests {
    @Test func completionLineConsistsOfWordTabAndDescription() {
        #expect(CompletionCandidate.word("a=b c", note: "d").line == "a=b c\td")
        #expect(CompletionCandidate.word("a", note: "d\te\nf").line == #"a\#td\te\nf"#)
        #expect(CompletionCandidate.files.line == "\tfiles" && CompletionCandidate.folders.line == "\tfolders")
    }

    /// A string from a catalog must not act as a terminal command or start another line.
    @Test(arguments: ["", "a\nb", "a\tb", "\u{1B}[2J", "\u{7F}", "a\u{9B}2J", "\u{202E}a", "\u{2028}", "a\u{61C}"])
    func completionWithAControlCharacterIsOmitted(word: String) {
        #expect(CompletionCandidate.word(word, note: "").line == nil)
    }

    @Test func eachShellHasACompletionScript() {
        for name in CompletionScript.names {
            #expect(CompletionScript.text(for: name)?.contains("complete --") == true)
        }
        #expect(CompletionScript.text(for: "csh") == nil)
    }
}
