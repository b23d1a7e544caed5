import DataSources
import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TerminalFailureTests {
    /// The command line in a hint selects the same catalog as the failed command line.
    @Test(
        arguments: [
            ([], "larder doctor"), (["my.jsonc"], "larder doctor --catalog my.jsonc"),
            (["/a b/c's"], #"larder doctor --catalog '/a b/c'\''s'"#),
            (["a", "b c"], "larder doctor --catalog a --catalog 'b c'"),
        ] as [([FilePath], String)])
    func suggestedCommandLineNamesTheCatalogs(catalogs: [FilePath], line: String) {
        #expect(CommandHint.line("doctor", catalogs) == line)
    }

    @Test func hintOfAFailureNamesTheCatalog() throws {
        let resource = try RickAndMorty.rest.resource("character")
        let words = TerminalParams(command: .get, resource: resource, catalogs: ["my.jsonc"])
        let error: JSONValue = ["message": "it is not there", "data": ["kind": "notFound"]]
        let hint = TerminalFailure(error, words).hint
        #expect(hint == "larder list character --catalog my.jsonc shows the available items")
    }
}
