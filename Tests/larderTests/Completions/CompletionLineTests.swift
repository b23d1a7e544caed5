import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct CompletionLineTests {
    @Test func optionsAndPositionalArgumentsAreSeparated() {
        let line = CompletionLine(["list", "--catalog", "a", "--offline", "x", "--memory=1MiB", "cur"], home: nil)
        #expect(line.words == ["list", "x"] && line.current == "cur" && line.option == nil)
        #expect(line.options.catalog == "a" && line.options.isOffline && line.options.memory == 1 << 20)
    }

    @Test func wordAfterAnOptionIsTheValueOfTheOption() {
        #expect(CompletionLine(["--catalog", "x"], home: nil).option?.name == "--catalog")
        #expect(CompletionLine(["--offline", "x"], home: nil).option == nil)
        #expect(CompletionLine(["--catalog=a", "x"], home: nil).option == nil)
        #expect(CompletionLine(["--catalog", "--x"], home: nil).option == nil)
        #expect(CompletionLine(["--", "--catalog", "x"], home: nil).option == nil)
    }

    @Test func invalidOptionsAreIgnored() {
        let line = CompletionLine(
            ["--nonsense", "--memory", "much", "--log-level=loud", "get", "-1", "--", "--x", ""], home: nil)
        #expect(line.options == CommandOptions())
        #expect(line.words == ["get", "-1", "--x"] && line.isLiteral && line.current.isEmpty)
        #expect(CompletionLine([], home: nil).words.isEmpty)
    }

    @Test func tildeInACompletedPathIsTheHomeFolder() {
        #expect(CompletionLine(["--catalog", "~/a", ""], home: "/at/home").options.catalog == "/at/home/a")
        #expect(CompletionLine(["--catalog=~/a", ""], home: "/at/home").options.catalog == "/at/home/a")
        #expect(CompletionLine(["--catalog", "~you/a", ""], home: "/at/home").options.catalog == "~you/a")
    }

    /// Fails for a new kind of value, which must be completed or added to the list of kinds without completions.
    @Test func onlyListedKindsOfOptionValuesHaveNoCompletions() {
        let free = OptionDefinition.all.filter { $0.argument != nil && $0.values == .any }.compactMap(\.argument)
        #expect(
            Set(free) == ["SIZE", "N", "DURATION", "URL", "NAME", "PAGE", "'NAME: VALUE'", "TYPE"],
            "\(Set(free))")
    }
}
