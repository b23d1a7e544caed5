import CatalogTools
import TestSupport
import Testing

@testable import larder

/// Tests the short options, and the commands that list resources, catalogs and help topics.
@Suite(.limited) struct CommandLineFormsTests {
    @Test func shortOptionsEqualTheirLongForms() throws {
        let request = try TerminalRequest(.list, ["list", "r"])
        let options = CommandLineParserTests.with {
            $0.catalog = "c"
            $0.people.fields = ["a", "b"]
            $0.people.limit = 5
            $0.people.format = .tsv
            $0.people.order.keys = [.init(name: "a", isDescending: true)]
        }
        for words in [
            ["-c", "c", "-f", "a,b", "-n", "5", "-o", "tsv", "-s", "-a"], ["-cc", "-fa,b", "-n5", "-otsv", "-s-a"],
        ] {
            #expect(try CommandLineParser.parse(["list", "r"] + words) == .people(request, options))
        }
        #expect(try CommandLineParser.parse(["-V"]) == .version)
        #expect(CommandLineParserTests.message(["list", "r", "-n"]) == "--limit needs a value: a number from 1")
    }

    @Test func invalidValuesOfTheLimitAndVarOptionsAreRefused() throws {
        let options = CommandLineParserTests.with { $0.people.limit = 1 }
        let request = try TerminalRequest(.list, ["list", "r"])
        #expect(try CommandLineParser.parse(["list", "r", "--limit", "1"]) == .people(request, options))
        for words in [["--limit", "0"], ["--limit", "-1"], ["--limit", "x"], ["--var", "A"], ["--var", "=b"]] {
            #expect(CommandLineParserTests.message(["list", "r"] + words)?.contains(words[0]) == true)
        }
    }

    @Test func listCommandWithoutAResourceShowsTheResources() throws {
        let options = CommandLineParserTests.with { $0.catalog = "c" }
        #expect(try CommandLineParser.parse(["list", "-c", "c"]) == .resources(options))
        #expect(try CommandLineParser.parse(["resources", "-c", "c"]) == .resources(options))
    }

    @Test func catalogsAreAddedListedAndRemoved() throws {
        let options = CommandLineParserTests.with {
            $0.choice.only = ["a"]
            $0.choice.fields = CatalogImportChoice.Fields.none
            $0.isForced = true
            $0.triesLive = false
        }
        #expect(
            try CommandLineParser.parse([
                "add", "n", "https://x", "--only", "a", "--fields", "none", "--force", "--no-live",
            ]) == .add(name: "n", source: "https://x", options))
        #expect(try CommandLineParser.parse(["remove", "n"]) == .remove("n"))
        #expect(try CommandLineParser.parse(["catalogs"]) == .catalogs(CommandOptions()))
        for (words, message) in [
            (["add", "n"], "'larder add' needs a name and a place: larder add NAME URL|FILE"),
            (["add", "github"], "'github' is shipped with larder: use it with --catalog github"),
            (["add", "n", "-"], "'larder add' needs a URL or a file, not '-'"),
            (["add", "n", "x", "--fields", "a,b"], "to import a document, --fields must be 'none' or 'all'"),
            (["remove"], "'larder remove' needs the name of a catalog"),
            (["catalogs", "x"], "'larder catalogs' takes no arguments; remove 'x'"),
            (["check", "x", "--fix"], "--fix needs --live and the catalog to mend: larder check FILE --live --fix"),
            (
                ["check", "--live", "--fix"],
                "--fix needs --live and the catalog to mend: larder check FILE --live --fix"
            ),
            (
                ["check", "x", "--with", "a=b"],
                "--with needs --live, because --with sets values for the live check; add --live"
            ),
        ] {
            #expect(CommandLineParserTests.message(words) == message)
        }
        #expect(
            try CommandLineParser.parse(["add", "n", "x", "--with", "a=b"])
                == .add(name: "n", source: "x", CommandLineParserTests.with { $0.given = ["a": "b"] }))
    }

    @Test func openCommandAcceptsOneID() throws {
        let request = try TerminalRequest(.get, ["get", "r", "1", "a=b"])
        #expect(try CommandLineParser.parse(["open", "r", "1", "a=b"]) == .open(request, CommandOptions()))
        #expect(
            CommandLineParserTests.message(["open"])
                == "'larder open' needs a resource: larder open RESOURCE ID [name=value ...]; "
                + "'larder resources' lists the resources")
        #expect(
            CommandLineParserTests.message(["open", "r"])
                == "'larder open' needs an id: larder open RESOURCE ID [name=value ...]; "
                + "'larder help r' shows an example")
        #expect(CommandLineParserTests.message(["open", "r", "1", "2"]) == "'larder open' takes one id; remove '2'")
    }

    @Test func cacheClearCommandMayHaveAResource() throws {
        #expect(
            try CommandLineParser.parse(["cache", "clear", "thing"])
                == .cache(.clear, resource: "thing", CommandOptions()))
    }
}
