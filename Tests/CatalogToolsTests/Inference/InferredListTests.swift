import Catalog
import CatalogTools
import HTTP
import JSON
import Mocks
import Model
import TestSupport
import Testing

/// Tests the declarations of a list that are inferred from one answer.
@Suite(.limited) struct InferredListTests {
    private static func text(_ body: String, _ query: String = "", sending texts: [String] = []) async throws -> String
    {
        let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array(body.utf8))))
        return try await CatalogInference(client: client, explain: explained, secrets: .empty)
            .draft("https://api.zoo.test/v1/animals" + query, headers: texts)
    }

    private static func resource(_ body: String, _ query: String = "") async throws -> JSONValue {
        let text = try await text(body, query)
        #expect(DraftText.faults(in: text) == [])
        return try #require(try DraftText.value(text)["resources"]?["animal"])
    }

    @Test func longestArrayIsDraftedAsTheList() async throws {
        let longest = try await Self.resource(#"{"x": [{"id": 1}], "y": [{"id": 2}, {"id": 3}], "z": [{"id": 4}]}"#)
        #expect(longest["rest"]?["list"]?["items"] == "y")
        let first = try await Self.resource(#"{"x": [{"id": 1}], "y": [{"id": 2}]}"#)
        #expect(first["rest"]?["list"]?["items"] == "x")
    }

    @Test func arrayIsFoundFourLevelsDeep() async throws {
        let found = try await Self.resource(#"{"a": {"b": {"c": {"d": [{"id": 1}]}}}}"#)
        #expect(found["rest"]?["list"]?["items"] == "a.b.c.d")
        let deeper = try await Self.resource(#"{"a": {"b": {"c": {"d": {"e": [{"id": 1}]}}}}}"#)
        #expect(deeper["rest"]?["list"] == nil && deeper["rest"]?["get"] != nil)
    }

    /// An object counts as a map of items if at least half of the keys of its values are equal.
    @Test(
        arguments: [
            (#"{"a": {"x": 1, "y": 2}, "b": {"x": 1}}"#, true),
            (#"{"a": {"x": 1, "y": 2}, "b": {"x": 1, "z": 2}}"#, false),
            (#"{"a": {"x": 1}, "b": {"y": 1}}"#, false), (#"{"a": {"x": 1}, "b": 2}"#, false),
        ])
    func objectWithSimilarValuesIsDraftedAsAMap(body: String, isMap: Bool) async throws {
        #expect(try await Self.resource(body)["rest"]?["list"]?["items"] == (isMap ? "*" : nil))
    }

    /// The values inside of items must not be taken for signs of other pages.
    @Test func valuesOfAMapAreNotReadAsPagination() async throws {
        let resource = try await Self.resource(
            #"{"data": {"a": {"id": 1, "next_cursor": "x"}, "b": {"id": 2, "next_cursor": "y"}}}"#)
        #expect(resource["rest"]?["list"]?["items"] == "data.*")
        #expect(resource["rest"]?["list"]?["pagination"] == nil)
    }

    @Test func itemsWithEqualLinksHaveNoIDAndNoPath() async throws {
        let resource = try await Self.resource(
            #"[{"url": "https://x.test/i/1", "a": 1}, {"url": "https://x.test/i/1", "a": 2}]"#)
        #expect(resource["id"]?.text == #"{"type":"string","from":"","hash":true}"#)
        #expect(resource["rest"]?["get"] == nil)
    }

    @Test(
        arguments: [
            (#"[{"url": "/i/1"}, {"url": "/i/2/"}]"#, #"{"type":"string","from":"","hash":true}"#),
            (#"[{"self": "/i/a1"}, {"self": "/i/b"}]"#, #"{"type":"string","from":"self","match":"*/{id}"}"#),
            (#"[{"href": "/i/1?x"}, {"href": "/i/2?x"}]"#, #"{"type":"string","from":"","hash":true}"#),
            (#"[{"petId": 1, "n": 1}, {"petId": 2, "n": 1}]"#, #"{"type":"integer","from":"petId"}"#),
            (#"[{"sys": {"id": "a"}}, {"sys": {"id": "b"}}]"#, #"{"type":"string","from":"sys.id"}"#),
            (
                #"[{"n": 1, "other": {"id": "a"}}, {"n": 1, "other": {"id": "b"}}]"#,
                #"{"type":"string","from":"other.id"}"#
            ),
            (#"[{"show": {"id": 1, "n": 1}}, {"show": {"id": 2, "n": 1}}]"#, #""integer""#),
            (
                #"[{"x": {"id": 1}, "y": {"id": 1}}, {"x": {"id": 2}, "y": {"id": 2}}]"#,
                #"{"type":"string","from":"","hash":true}"#
            ),
            (#"[{"x": {"id": 1}}, {"x": {"id": 1}, "n": 1}]"#, #"{"type":"string","from":"","hash":true}"#),
            (#"[{"id": "", "n": 1}, {"id": "a", "n": 2}]"#, #"{"type":"string","from":"","hash":true}"#),
            (#"[{"id": 1}, {"id": "a"}]"#, #""string""#),
        ])
    func idIsInferredFromLinksAndNames(body: String, id: String) async throws {
        #expect(try await Self.resource(body)["id"]?.text == id)
    }

    @Test(
        arguments: [
            ("?page=1&limit=0", nil), ("?page=1&limit=1", 1), ("?page=1&limit=x", nil),
        ] as [(String, Int?)])
    func pageSizeIsDraftedOnlyIfItIsPositive(query: String, size: Int?) async throws {
        let list = try await Self.resource(#"[{"id": 1}]"#, query)["rest"]?["list"]
        #expect(list?["pagination"]?["size"]?["value"] == size.map { .integer($0) })
        #expect((list?["query"]?["limit"] == nil) == (size != nil))
    }

    @Test(
        arguments: [
            ("", #""has_more": true"#, "contains 'has_more', but does not show how to request the next page"),
            ("", #""next": null"#, "'next' may refer to a next page"),
            ("", #""x": 1"#, "found no pagination: the draft treats the answer as the whole list; check it"),
        ])
    func draftExplainsWhyItHasNoPagination(query: String, beside: String, comment: String) async throws {
        #expect(try await Self.text(#"{"data": [{"id": 1}], \#(beside)}"#, query).contains(comment))
    }

    @Test(arguments: [(9, false), (10, true), (11, false), (20, true)])
    func roundNumberOfItemsMayBeAFullPage(count: Int, mayBeFull: Bool) async throws {
        let items = (0..<count).map { #"{"id": \#($0)}"# }.joined(separator: ",")
        #expect(try await Self.text("[\(items)]").contains("\(count) items may be a full page") == mayBeFull)
    }

    @Test func everySecretHeaderHasItsOwnVariable() async throws {
        let text = try await Self.text(
            "[]", sending: ["X-Key: hunter-22222", "X-Other: hunter-33333", "Accept: text/x", "X-Api-Version: 2"])
        let api = try DraftText.value(text)["apis"]?["zoo"]
        #expect(api?["auth"]?["apiKey"]?["value"] == "${env:HOST_API_ZOO_TEST_KEY}")
        #expect(
            api?["headers"]?.text
                == #"{"X-Other":"${env:HOST_API_ZOO_TEST_X_OTHER}","Accept":"text/x","X-Api-Version":"2"}"#)
        #expect(text.contains("the value is read from the environment; sent to api.zoo.test"))
    }

    /// A bearer token is only read from `Authorization`.
    @Test func bearerTokenInAnotherHeaderIsDraftedAsAnAPIKey() async throws {
        let text = try await Self.text("[]", sending: ["X-Auth: Bearer hunter-22222"])
        #expect(try DraftText.value(text)["apis"]?["zoo"]?["auth"]?["apiKey"]?["name"] == "X-Auth")
    }
}
