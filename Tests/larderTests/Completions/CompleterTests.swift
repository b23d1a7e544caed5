import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Tests which completions an argument has because of its place on the command line.
@Suite(.limited) struct CompleterTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("larder"), 0o700) == 0)
        try folder.write(Array("{}".utf8), to: "larder/shop.jsonc")
    }

    /// Returns the completions of the last word. Names of files are `<files>`.
    private func complete(_ words: [String]) -> [String] {
        let path = folder.path
        let environment = Environment(
            bytes: { $0 == "XDG_CONFIG_HOME" ? Array(path.utf8) : nil }, homeOfUser: { nil })
        return Completer(words, environment).candidates.map { candidate in
            if case .word(let word, _) = candidate { word } else { "<files>" }
        }
    }

    @Test(
        arguments: [
            (["completions", "f"], ["fish"]), (["help", "offl"], ["offline"]), (["remove", ""], ["shop"]),
            (["check", "sho"], ["shop", "<files>"]), (["catalog", "show", "sho"], ["shop", "<files>"]),
            (["cache", "clear", "ch"], ["character"]), (["list", "ch"], ["character"]),
            (["catalog", "import", ""], ["<files>"]), (["catalog", "infer", ""], ["<files>"]),
            (["catalog", "infer", "a.json", ""], ["<files>"]), (["add", "zoo", ""], ["<files>"]),
        ])
    func completionsDependOnThePositionOfTheArgument(words: [String], expected: [String]) {
        #expect(complete(words) == expected)
    }

    @Test(
        arguments: [
            ["completions", "fish", ""], ["help", "offline", ""], ["remove", "shop", ""], ["check", "shop", ""],
            ["catalog", "show", "shop", ""], ["cache", "stats", "ch"], ["catalog", "import", "a.json", ""],
            ["catalog", "infer", "a.json", "b.json", ""], ["add", ""], ["add", "zoo", "a.json", ""],
            ["mcp", "bundle", "a", ""], ["list", "a=b", ""], ["catalogs", ""],
        ])
    func argumentAfterTheLastExpectedOneHasNoCompletions(words: [String]) { #expect(complete(words) == []) }
}
