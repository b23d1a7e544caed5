import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Tests the advice for filters that are written as options.
@Suite(.limited) struct UnknownOptionTests {
    private static let environment = Environment(bytes: { _ in nil }, homeOfUser: { nil })

    /// Returns the message about a command line with an unknown option. The resource is one of the built-in catalog.
    private func message(_ words: [String]) -> String? {
        do throws(UsageError) {
            _ = try CommandLineParser.parse(words.map { Argument($0.utf8) })
            return nil
        } catch {
            return error.option?.message(Self.environment) ?? error.message
        }
    }

    @Test(
        arguments: [
            (["list", "character", "--name", "rick"], "write name=rick"),
            (["list", "character", "--name=two words"], "write name='two words'"),
            (["watch", "list", "character", "--status"], "write status=VALUE"),
            (["list", "character", "--status", "--all"], "write status=VALUE"),
            (["prefetch", "character", "--statu", "Dead"], "did you mean status=Dead?"),
            (["search", "character", "--origin.name", "x"], "write origin.name=x"),
            (["list", "character", "--limt", "5"], "did you mean '--limit'?"),
            (["list", "character", "--bogus", "open"], "see larder list character --help"),
            (["list", "rickandmorty/character", "--name", "x"], "write name=x"),
            (["list", "issue", "--state", "open", "-c", "github"], "write state=open"),
            (["list", "issue", "--onwer", "a", "-c", "github"], "did you mean owner=a?"),
            (["list", "none", "--bogus", "rick"], "see larder list none --help"),
            (["list", "character", "--name", "rick", "-c", "/none"], "see larder list character --help"),
            (["get", "character", "--offlin"], "did you mean '--offline'?"),
            (["get", "character", "--pag", "2"], "see larder get character --help"),
            (["list", "character", "--pag", "2"], "did you mean '--page'?"),
            (["get", "character", "--id", "3"], "write the id without an option: larder get character 3"),
            (
                ["open", "issue", "--id", "3", "-c", "github"],
                "write the id without an option: larder open issue 3 --catalog github"
            ),
        ])
    func adviceContainsTheArgumentThatReplacesTheOption(words: [String], advice: String) {
        let option = words[2].hasPrefix("-") ? words[2] : words[3]
        let name = option.prefix { $0 != "=" }
        #expect(message(words) == "unknown option '\(name)'; \(advice)")
    }
}
