import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct PeopleRequestTests {
    private func parse(_ words: [String]) throws(UsageError) -> Command {
        try CommandLineParser.parse(words.map { Argument($0.utf8) })
    }

    @Test func theWordsOfARequest() throws {
        var options = CommandOptions()
        options.people.limit = 3
        options.people.fields = ["a", "b.c"]
        let request = try PeopleRequest(.list, ["list", "thing", "a=b"])
        #expect(try parse(["list", "--limit", "3", "thing", "--fields=a, b.c", "a=b"]) == .people(request, options))
        #expect(request.resource == "thing" && request.words == ["a=b"])
    }

    @Test func aNumberBelowZeroIsAnID() throws {
        #expect(
            try parse(["get", "thing", "-1"]) == .people(PeopleRequest(.get, ["get", "thing", "-1"]), CommandOptions()))
    }

    @Test(
        arguments: [
            (["get"], "get needs a resource: larder get RESOURCE ID [name=value ...]"),
            (["get", "r"], "get needs an id: larder get RESOURCE ID [name=value ...]"),
            (["get", "r", "1", "2"], "get takes one id, not '2' too"),
            (["prefetch", "r", "x"], "'x' must be name=value"),
            (["list", "r", "x"], "'x' must be name=value; to look for a text: larder search r TEXT"),
            (["get", "r", "1", "--all"], "--all goes with 'list', 'search', not with 'get'"),
            (["--table"], "--table goes with 'get', 'list', 'search', 'prefetch', not with none"),
            (["list", "r", "--table", "--json"], "--json and --table exclude each other"),
            (
                ["search", "r", "-x"],
                "unknown option '-x'; see larder --help; an id or a text that begins with '-' stands behind '--'"
            ),
        ])
    func wrongUse(words: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try parse(words) }
    }

    @Test(
        arguments: [
            ("a", ["a"]), ("a,b", ["a", "b"]), (" a , b.c ", ["a", "b.c"]), ("", nil), ("a,", nil), (",", nil),
            ("a, ,b", nil),
        ] as [(String, [String]?)])
    func namesOfFields(list: String, names: [String]?) { #expect(PeopleOptions.names(list) == names) }
}
