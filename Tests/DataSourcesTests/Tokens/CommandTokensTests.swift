import System
import TestSupport
import Testing

@testable import Catalog
@testable import DataSources
@testable import Model

/// Tests the results of token commands.
@Suite(.limited) struct CommandTokensTests {
    private func issue(
        _ finished: Program.Finished, lifetime: Int? = nil
    ) async -> Result<TokenProvider.Issued, APIError> {
        let tokens = CommandTokens(
            command: TokenCommand(words: ["gh", "auth"], lifetime: lifetime), secrets: [], learned: LearnedSecrets()
        ) { words in words == ["gh", "auth"] ? finished : Program.Finished(.notStarted("wrong words")) }
        return await tokens.issue()
    }

    @Test(arguments: [nil, 60_000]) func tokenIsTheFirstOutputLineAndHasTheDeclaredLifetime(lifetime: Int?) async {
        for output in ["gh-secret", "gh-secret\n", "gh-secret\r\nmore\n", "gh-secret\nmore"] {
            let issued = await issue(Program.Finished(output: Array(output.utf8), .exited(0)), lifetime: lifetime)
            #expect(issued == .success(TokenProvider.Issued("gh-secret", lifetime: lifetime)))
        }
    }

    @Test(
        arguments: [
            (.exited(1), "failed with exit code 1: no login"), (.exited(-1), "failed with exit code -1: no login"),
            (.signalled(9), "was killed by signal 9: no login"),
            (.timedOut(1999), "did not exit within 1 s: no login"),
            (.timedOut(2000), "did not exit within 2 s: no login"),
            (.tooMuch(2047), "wrote more than 1 KiB"), (.tooMuch(2048), "wrote more than 2 KiB"),
            (.notStarted("no such file"), "could not be run: no such file"),
        ] as [(Program.Ending, String)])
    func failureHasTheErrorOutputOfTheCommand(ending: Program.Ending, reason: String) async {
        var expected = APIError(.unauthorized, "the command 'gh' \(reason)")
        expected.isMissingConfiguration = true
        let issued = await issue(
            Program.Finished(output: Array("gh-secret".utf8), errors: Array(" no\n\tlogin ".utf8), ending))
        #expect(issued == .failure(expected))
    }

    @Test func errorOutputOver200CharactersIsShortened() async {
        for (count, shown) in [(200, 200), (201, 200)] {
            let text = String(repeating: "x", count: count)
            let issued = await issue(Program.Finished(errors: Array(text.utf8), .exited(1)))
            guard case .failure(let error) = issued else {
                Issue.record("the command succeeded")
                return
            }
            let rest = String(repeating: "x", count: shown)
            #expect(error.message == "the command 'gh' failed with exit code 1: \(rest)")
        }
    }
}
