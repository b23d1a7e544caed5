import Catalog
import JSON
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

/// Compares the help on resources, and the meaning of their arguments, with golden files.
@Suite(.limited) struct StoredResourceHelpTests {
    private static let catalogs = ["../Tests/EndToEnd/Golden/kinds.jsonc", "faults/catalog.json"]

    private static func catalog(_ name: String) throws -> Catalog {
        try CatalogDecoder.decode(Fixture.read(name), secrets: .empty, toleratesMissing: true)
    }

    private static func shown(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func helpOnResourcesMatchesTheRecording() throws {
        var lines: [String] = []
        for name in Self.catalogs {
            let catalog = try Self.catalog(name)
            for resource in catalog.resources {
                lines += Self.shown(ResourceHelp(resource: resource, catalogs: [FilePath("a b")]).text)
            }
            for width in [20, 60, 120, 300] {
                let terminal = Terminal(isTerminal: true, columns: width, colour: .never, variable: { _ in "xterm" })
                let view = TerminalView(terminal, isSingle: false, CommandOptions(), ClockMock())
                lines += ["== \(width)"] + Self.shown(ResourceList.text(catalog, [], view))
            }
        }
        try GoldenFile.expect(lines, in: "people/resources.txt")
    }

    @Test func argumentsOfResourcesMatchTheRecording() throws {
        let words = [
            [], ["7"], ["7", "8"], ["a b"], ["id=7"], ["text=x"], ["owner=me", "7"], ["number=7", "number=8"],
            ["name=x"],
            ["state=open"], ["state=open", "state=open"], ["tags=a", "tags=b,c"], ["tags=[\"a\"]"], ["max=1.5"],
            ["page=2"],
            ["page=abc"], ["fields=id"], ["limit=1"], ["filter.name=x"], ["filter.id=1"], ["nmae=x"], ["a=b", "c=d"],
            ["part="],
        ]
        var options = TerminalOptions()
        options.page = "2"
        options.fields = ["id"]
        var lines: [String] = []
        for resource in try Self.catalog(Self.catalogs[0]).resources {
            for command in TerminalCommand.allCases {
                let params = TerminalParams(command: command, resource: resource)
                let cases = words.map { (input: "\($0)", outcome: Self.outcome(params, $0, TerminalOptions())) }
                let last = (input: "with options", outcome: Self.outcome(params, [], options))
                lines += [params.form] + GoldenFile.grouped(cases + [last])
            }
        }
        try GoldenFile.expect(lines, in: "people/arguments.txt")
    }

    private static func outcome(_ params: TerminalParams, _ words: [String], _ options: TerminalOptions) -> String {
        do throws(TerminalFailure) {
            return JSONValue.object(try params.params(words, options)).text
        } catch {
            return "refused: \(error.message)\(error.hint.map { "; \($0)" } ?? "")"
        }
    }
}
