import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct TerminalRequestTests {
    private func parse(_ words: [String]) throws(UsageError) -> Command {
        try CommandLineParser.parse(words.map { Argument($0.utf8) })
    }

    @Test func commandLineIsParsedIntoOptionsAndArguments() throws {
        var options = CommandOptions()
        options.people.limit = 3
        options.people.fields = ["a", "b.c"]
        let request = try TerminalRequest(.list, ["list", "thing", "a=b"])
        #expect(try parse(["list", "--limit", "3", "thing", "--fields=a, b.c", "a=b"]) == .people(request, options))
        #expect(request.resource == "thing" && request.words == ["a=b"])
    }

    @Test func getCommandAcceptsSeveralIDs() throws {
        #expect(try TerminalRequest(.get, ["get", "r", "1", "2"]).hasSeveralIDs)
        #expect(try TerminalRequest(.get, ["get", "r", "1", "a=b"]).hasSeveralIDs == false)
        #expect(try TerminalRequest(.search, ["search", "r", "1", "2"]).hasSeveralIDs == false)
    }

    @Test(
        arguments: [
            (OutputFormat?.none, false, false, OutputFormat.jsonl, OutputFormat.jsonl),
            (nil, true, false, .json, .jsonl),
            (nil, false, true, .table, .table), (.csv, true, true, .csv, .csv),
        ])
    func formatDependsOnOptionsAndStdout(
        given: OutputFormat?, isJSON: Bool, isTable: Bool, onTerminal: OutputFormat, inPipe: OutputFormat
    ) {
        var options = TerminalOptions()
        (options.format, options.isTable) = (given, isTable)
        let terminals = [true, false].map { isTerminal in
            options.format(
                isJSON: isJSON, isSingle: false, Terminal(isTerminal: isTerminal, columns: 80, variable: { _ in nil }))
        }
        let isDefault = given == nil && !isJSON && !isTable
        #expect(terminals == [isDefault ? .table : onTerminal, inPipe])
    }

    @Test func defaultFormatOfOneItemOnATerminalIsARecord() {
        let terminal = Terminal(isTerminal: true, columns: 80, variable: { _ in nil })
        #expect(TerminalOptions().format(isJSON: false, isSingle: true, terminal) == .record)
    }

    @Test func negativeNumberIsAnID() throws {
        #expect(
            try parse(["get", "thing", "-1"])
                == .people(TerminalRequest(.get, ["get", "thing", "-1"]), CommandOptions()))
    }

    @Test func commandForOneItemAcceptsOnlyOneID() throws {
        for name in [CommandName.open, .watch] {
            let words = [name.rawValue, "r", "1", "a=b"]
            #expect(try TerminalRequest(.get, words, as: name).words == ["1", "a=b"])
            #expect(throws: UsageError(message: "'larder \(name.rawValue)' takes one id; remove '2'")) {
                try TerminalRequest(.get, words + ["2"], as: name)
            }
        }
    }

    @Test func limitAppliesBeforeSortingIfNotAllItemsAreReceived() {
        func received(isAll: Bool, _ order: SortOrder, limit: Int? = 3) -> Int {
            var options = TerminalOptions()
            (options.isAll, options.order, options.limit) = (isAll, order, limit)
            return options.received
        }
        let sorted = SortOrder(keys: [.init(name: "a", isDescending: false)])
        #expect(received(isAll: true, sorted) == .max)
        #expect(received(isAll: false, sorted) == 3 && received(isAll: true, SortOrder()) == 3)
        #expect(received(isAll: false, SortOrder(), limit: nil) == .max)
    }

    @Test(
        arguments: [
            (
                ["get"],
                "'larder get' needs a resource: larder get RESOURCE ID... [name=value ...]; 'larder resources' lists"
                    + " the resources"
            ),
            (
                ["get", "r"],
                "'larder get' needs an id: larder get RESOURCE ID... [name=value ...]; 'larder help r' shows an example"
            ),
            (["prefetch", "r", "x"], "'x' must be name=value"),
            (["list", "r", "x"], "'x' must be name=value; to search for text: larder search r TEXT"),
            (
                ["list", "r", "x", "-c", "a b"],
                "'x' must be name=value; to search for text: larder search r TEXT --catalog 'a b'"
            ),
            (
                ["get", "r", "1", "--all"],
                "--all cannot be used with 'get'; remove the option, or use it with 'list', 'search'"
            ),
            (
                ["--table"],
                "--table cannot be used without a command; remove the option, or use it with 'get', 'list', 'search',"
                    + " 'prefetch', 'sync', 'sql', 'watch', 'watch list', 'resources', 'catalogs', 'cache'"
            ),
            (["list", "r", "--table", "--json"], "--json and --table cannot be used together; remove one of them"),
            (
                ["search", "r", "-x"],
                "unknown option '-x'; see larder --help; put an id or text that starts with '-' after '--'"
            ),
        ])
    func invalidArgumentsAreRefused(words: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try parse(words) }
    }

    @Test(
        arguments: [
            ("a", ["a"]), ("a,b", ["a", "b"]), (" a , b.c ", ["a", "b.c"]), ("", nil), ("a,", nil), (",", nil),
            ("a, ,b", nil),
        ] as [(String, [String]?)])
    func fieldListIsSplitAtCommas(list: String, names: [String]?) { #expect(TerminalOptions.names(list) == names) }
}
