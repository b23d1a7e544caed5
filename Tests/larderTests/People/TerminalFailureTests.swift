import Catalog
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

    @Test func hintOfAFailureContainsTheCatalog() throws {
        let resource = try RickAndMorty.rest.resource("character")
        let words = TerminalParams(command: .get, resource: resource, catalogs: ["my.jsonc"])
        let error: JSONValue = ["message": "it is not there", "data": ["kind": "notFound"]]
        let hint = TerminalFailure(error, words, JSONObject()).hint
        #expect(hint == "larder list character --catalog my.jsonc shows the available items")
    }

    @Test func usageInAHintContainsTheCatalog() throws {
        let resource = try RickAndMorty.rest.resource("character")
        let words = TerminalParams(command: .get, resource: resource, catalogs: ["my.jsonc"])
        #expect(words.form == "larder get character ID --catalog my.jsonc")
        let request = try TerminalRequest(.list, ["list", "thing"])
        let thing = try Self.note(#""get": {"path": "/{owner}/{repo}/{id}"}"#)
        #expect { try request.resource(in: [thing], ["my.jsonc"]) } throws: {
            ($0 as? TerminalFailure)?.hint
                == "available: larder get thing --catalog my.jsonc, larder search thing --catalog my.jsonc"
        }
    }

    @Test func suggestedResourceHasTheCatalogThatTheUserTyped() throws {
        var request = try TerminalRequest(.list, ["list", "thign"])
        let thing = try Self.note(#""get": {"path": "/{owner}/{repo}/{id}"}"#)
        for prefix in ["", "shop/"] {
            request.prefix = prefix
            #expect { try request.resource(in: [thing], []) } throws: {
                ($0 as? TerminalFailure)?.message
                    == "unknown resource '\(prefix)thign'; did you mean '\(prefix)thing'?"
            }
        }
    }

    @Test func messageDoesNotRepeatItsKind() throws {
        let words = TerminalParams(command: .get, resource: try RickAndMorty.rest.resource("character"))
        let error: JSONValue = ["message": "not cached: x", "data": ["kind": "notCached"]]
        #expect(TerminalFailure(error, words, JSONObject()).message == "notCached: x")
    }

    private static func note(_ operation: String) throws -> ResourceDefinition {
        let id = #""integer", "scope": {"owner": "string", "repo": {"type": "string", "default": "larder"}}"#
        let text = CatalogText.make(id: id, rest: "{\(operation)}")
        return try CatalogText.decode(text).resources[0]
    }

    @Test(
        arguments: [
            (.list, ["owner": "a b"], "check owner='a b'; larder help thing describes the resource"),
            (
                .prefetch, ["owner": "a", "filter": ["tag": ["x", "y"]]],
                "check owner=a, tag=x, tag=y; larder help thing describes the resource"
            ),
            (
                .list, ["owner": "a", "page": 9, "filter": ["tag": "x"]],
                "larder list thing owner=a tag=x shows the first page"
            ),
            (.list, .object(JSONObject()), "larder check --live tests the paths in the catalog"),
            (.get, ["id": "1", "owner": "a"], "larder list thing owner=a shows the available items"),
        ] as [(TerminalCommand, JSONValue, String)])
    func notFoundHintForAPageContainsTheParameters(command: TerminalCommand, sent: JSONValue, hint: String) throws {
        let list = #""list": {"path": "/{owner}/{repo}", "filters": {"tag": {"type": ["string"]}}}"#
        let get = #", "get": {"path": "/{owner}/{repo}/{id}"}"#
        let words = TerminalParams(command: command, resource: try Self.note(list + get))
        #expect(Self.missing(words, sent) == hint)
    }

    @Test func notFoundHintContainsTheParametersIfTheResourceHasNoList() throws {
        let resource = try Self.note(#""get": {"path": "/{owner}/{repo}/{id}"}"#)
        let words = TerminalParams(command: .get, resource: resource)
        #expect(
            Self.missing(words, ["id": "7", "owner": "a"]) == "check id=7, owner=a; larder help thing shows an example")
    }

    private static func missing(_ words: TerminalParams, _ sent: JSONValue) -> String? {
        guard case .object(let sent) = sent else { return nil }
        return TerminalFailure(["message": "it is not there", "data": ["kind": "notFound"]], words, sent).hint
    }

    /// The message itself names the option that records a cassette.
    @Test func errorForAMissingCassetteHasNoHint() throws {
        let words = TerminalParams(command: .list, resource: try RickAndMorty.rest.resource("character"))
        let error: JSONValue = ["message": "no cassette for GET x in y", "data": ["kind": "notReplayed"]]
        #expect(TerminalFailure(error, words, JSONObject()).hint == nil)
    }

    @Test(
        arguments: [
            ("notCached", "", nil, nil), ("notReplayed", "", nil, nil), ("rateLimited", "", nil, "try again later"),
            ("rateLimited", "", 7, "try again in 7 s"), ("serverError", "", nil, "try again later"),
            ("busy", "", nil, "try again later"), ("busy", "; try again", 7, nil),
            ("timeout", "; try again", nil, "try again later; 'timeout' in the catalog sets the limit"),
            ("network", "", nil, "larder doctor checks whether the API is reachable; --offline shows cached data"),
            ("decodingFailed", "", nil, "larder check --live shows how the answer differs from the catalog"),
            ("invalidResponse", "", nil, "larder check --live shows how the answer differs from the catalog"),
            ("tooLarge", "; raise 'maxBodySize'", nil, nil), ("nonsense", "", nil, nil),
            (
                "unauthorized", "", nil,
                "larder doctor reports missing secrets; larder check --live shows the API's answer"
            ),
        ] as [(String, String, Int?, String?)])
    func hintDependsOnTheKindOfTheError(kind: String, more: String, retryAfter: Int?, hint: String?) throws {
        let words = TerminalParams(command: .list, resource: try RickAndMorty.rest.resource("character"))
        var data = JSONObject([("kind", .string(kind))])
        data["retryAfter"] = retryAfter.map { .integer($0) }
        let error: JSONValue = ["message": .string("no" + more), "data": .object(data)]
        #expect(TerminalFailure(error, words, JSONObject()) == TerminalFailure("\(kind): no\(more)", hint: hint))
    }

    @Test func errorWithoutAKindKeepsItsMessage() throws {
        let words = TerminalParams(command: .get, resource: try RickAndMorty.rest.resource("character"))
        func failure(_ message: String, code: Int) -> TerminalFailure {
            TerminalFailure(["message": .string(message), "code": .integer(code)], words, JSONObject())
        }
        #expect(failure("not cached: x", code: 1) == TerminalFailure("not cached: x"))
        #expect(failure("x", code: -32602) == TerminalFailure("x", hint: "larder get character ID"))
        #expect(failure("'fields' has x", code: -32602) == TerminalFailure("'fields' has x"))
        words.fieldsFile = "/c.jsonc"
        let hint = "correct the columns in /c.jsonc, or select fields with --fields"
        #expect(failure("'fields' has x", code: -32602) == TerminalFailure("'fields' has x", hint: hint))
        #expect(TerminalFailure(nil, words, JSONObject()) == TerminalFailure("no reply"))
    }
}
