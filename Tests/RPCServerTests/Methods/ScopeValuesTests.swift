import Catalog
import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests how the parents in a request are read.
@Suite(.limited) struct ScopeValuesTests {
    /// Returns the values of a scope as a JSON object, or the error message.
    private static func values(_ given: JSONValue, isOptional: Bool, owner: String = #""string""#) throws -> String {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"thing": {"api": "a", "id": "string",
            "scope": {"owner": \(owner), "dir": {"default": "/"}, "kind": {"type": ["a", "b"], "default": "b"}},
            "rest": {"get": {"path": "/{owner}/{id}", "query": {"dir": "{dir}", "kind": "{kind}"}}}}}}
            """
        let scope = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0].scope
        do throws(RPCError) {
            let values = try scope.values(isOptional: isOptional) { given[$0] }
            return JSONValue.object(JSONObject(values.map { ($0.name, $0.value) })).text
        } catch {
            return error.message
        }
    }

    @Test(
        arguments: [
            (["owner": "x"], false, #"{"owner":"x","dir":"/","kind":"b"}"#),
            (["owner": "x", "dir": "d", "kind": "a"], false, #"{"owner":"x","dir":"d","kind":"a"}"#),
            (["owner": "x", "dir": "", "kind": ""], false, #"{"owner":"x","dir":"/","kind":"b"}"#),
            (["dir": ""], true, #"{"dir":"/"}"#), ([:], true, "{}"),
            (["owner": ""], false, "'owner' must be a string that is not empty"),
            (["owner": ""], true, "'owner' must be a string that is not empty"),
            ([:], false, "'owner' is missing; pass a string"),
        ] as [(JSONValue, Bool, String)])
    func emptyScopeValueSelectsTheDefault(given: JSONValue, isOptional: Bool, result: String) throws {
        #expect(try Self.values(given, isOptional: isOptional) == result)
    }

    @Test func emptyValueOfAnEnumerationIsRefused() throws {
        let text = try Self.values(["owner": ""], isOptional: false, owner: #"{"type": ["a", "b"]}"#)
        #expect(text == #"'owner' must be one of "a", "b""#)
    }

    @Test func similarWordIsSuggestedForAScopeValue() throws {
        let text = try Self.values(["owner": "fiels"], isOptional: false, owner: #"{"type": ["files", "pages"]}"#)
        #expect(text == #"'owner' must be one of "files", "pages"; did you mean "files"?"#)
    }
}
