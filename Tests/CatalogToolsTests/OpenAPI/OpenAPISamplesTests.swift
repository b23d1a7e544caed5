import HTTP
import JSON
import Mocks
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how answers of the API replace answers that the document does not describe.
@Suite(.limited) struct OpenAPISamplesTests {
    private static let url = "https://api.zoo.test/openapi.json"
    private static let things = #"""
        {"features": [{"id": "a", "size": 1.5}, {"id": "b", "size": null}], "numberMatched": 2,
         "links": [{"rel": "next", "href": "https://api.zoo.test/things?offset=2"}]}
        """#

    /// Returns a `get` whose answer has the given schema. Without a schema, the answer is a reference to another host.
    private static func get(_ schema: String?, _ more: String = "") -> String {
        let answer = schema.map { OpenAPIText.get($0) } ?? #""responses": {"200": {"$ref": "https://other.test/a"}}"#
        return #"{"get": {\#(more)\#(answer)}}"#
    }

    private static let offset = #""parameters": [{"name": "offset", "in": "query", "schema": {"type": "integer"}}], "#

    /// Returns the draft from a document, and the paths that were requested of the API.
    ///
    /// - Parameter answers: the answers of the API by path. All paths without an answer get the status 404.
    private static func draft(
        _ paths: String, _ answers: [String: String], servers: String = #"[{"url": "https://api.zoo.test"}]"#,
        status: Int = 404, asks: Bool = true
    ) async throws -> (text: String, asked: [String]) {
        let document = OpenAPIText.document(paths: paths, servers: servers)
        let client = HTTPClientMock { request in
            if request.url == url { return .success(HTTPResponse(status: 200, body: Array(document.utf8))) }
            let path = String(request.url.dropFirst("https://api.zoo.test".count))
            let found = answers[path].map { HTTPResponse(status: 200, body: Array($0.utf8)) }
            return .success(found ?? HTTPResponse(status: status, body: Array("{}".utf8)))
        }
        let reader = try DocumentReader(
            client: client, headers: [], explain: explained, secrets: .empty, hidden: [])
        let text = try await CatalogImport.draft(at: .url(url), reader: reader, requestsAnswers: asks)
        #expect(DraftText.faults(in: text) == [])
        #expect(client.requests.dropFirst().allSatisfy { $0.isBoundToOrigin && $0.method == .get })
        #expect(client.requests.dropFirst().allSatisfy { $0.timeout <= 5_000 && $0.maxBodySize == 4 << 20 })
        return (text, client.requests.dropFirst().map { String($0.url.dropFirst("https://api.zoo.test".count)) })
    }

    @Test func realAnswersReplaceUnreadableReferences() async throws {
        let paths = #""/things": \#(Self.get(nil, Self.offset)), "/things/{key}": \#(Self.get(nil))"#
        let answers = ["/things": Self.things, "/things/a": #"{"id": "a", "size": 2, "links": []}"#]
        let (text, asked) = try await Self.draft(paths, answers)
        #expect(asked == ["/things", "/things/a"])
        let thing = try #require(try DraftText.value(text)["resources"]?["thing"])
        #expect(thing["id"] == "string")
        #expect(thing["rest"]?["get"]?["path"] == "/things/{id}")
        #expect(thing["rest"]?["list"]?["items"] == "features")
        #expect(
            thing["rest"]?["list"]?["pagination"]?.text
                == #"{"style":"offset","param":"offset","count":"numberMatched"}"#)
        #expect(text.contains("// The draft uses real answers of the API for these paths: /things"))
    }

    @Test func realAnswersAreUsedIfTheDocumentDeclaresNoSchema() async throws {
        let paths = #""/things": {"get": {"responses": {"200": {"description": ""}}}}"#
        let (text, _) = try await Self.draft(paths, ["/things": Self.things])
        #expect(text.contains(#""size": "number?""#))
    }

    @Test func answerReplacesADifferentDescriptionInTheDocument() async throws {
        let described = Self.get(#"{"properties": {"marks": {"type": "array", "items": {"properties": {"id": {}}}}}}"#)
        let paths = #""/marks": \#(described), "/rows": \#(described), "/things": \#(Self.get(nil))"#
        let answers = ["/things": Self.things, "/marks": #"{"marks": []}"#, "/rows": #"{"type": "object"}"#]
        let (text, asked) = try await Self.draft(paths, answers)
        #expect(asked == ["/things", "/marks", "/rows"])
        let resources = try DraftText.value(text)["resources"]
        #expect(resources?["mark"] != nil && resources?["row"] == nil)
    }

    @Test func linksInAnAnswerAreItemsOnlyIfThePathIsNamedLinks() async throws {
        let links = #"{"title": "Zoo", "links": [{"rel": "self", "href": "https://api.zoo.test/"}]}"#
        let paths = #""/": \#(Self.get(nil)), "/things": \#(Self.get(nil)), "/links": \#(Self.get(nil))"#
        let (text, _) = try await Self.draft(paths, ["/things": Self.things, "/": links, "/links": links])
        let resources = try #require(try DraftText.value(text)["resources"])
        #expect(resources["item"] == nil && resources["link"] != nil && resources["thing"] != nil)
    }

    @Test func documentWithResponseSchemasIsDraftedWithoutRequests() async throws {
        let described = Self.get(#"{"type": "array", "items": {"properties": {"id": {}}}}"#)
        #expect(try await Self.draft(#""/things": \#(described)"#, [:]).asked == [])
    }

    @Test func answersAreRequestedOnlyWithPermissionAndFromTheHostOfTheDocument() async throws {
        let described = Self.get(#"{"type": "array", "items": {"properties": {"id": {}}}}"#)
        let paths = #""/marks": \#(described), "/things": \#(Self.get(nil))"#
        #expect(try await Self.draft(paths, ["/things": Self.things], asks: false).asked == [])
        for server in ["https://b.test", "https://{name}.test", "ftp://api.zoo.test", ""] {
            let servers = server.isEmpty ? #"[{"url": "/{a}"}]"# : #"[{"url": "\#(server)"}]"#
            #expect(try await Self.draft(paths, ["/things": Self.things], servers: servers).asked == [])
        }
    }

    /// A host that refuses the first requests refuses all of them.
    @Test func sampleRequestsEndAfterThreeFailures() async throws {
        let described = Self.get(#"{"type": "array", "items": {"properties": {"id": {}}}}"#)
        let unread = (0..<9).map { #""/t\#($0)": \#(Self.get(nil))"# }.joined(separator: ", ")
        #expect(try await Self.draft(#""/marks": \#(described), \#(unread)"#, [:], status: 401).asked.count == 3)
    }

    @Test func numberOfSampleRequestsIsLimited() async throws {
        let unread = (0..<40).map { #""/t\#($0)": \#(Self.get(nil))"# }.joined(separator: ", ")
        let answers = Dictionary(uniqueKeysWithValues: (0..<40).map { ("/t\($0)", Self.things) })
        #expect(try await Self.draft(unread, answers).asked.count == 24)
    }

    @Test func operationsThatNeedAParameterAreNotRequested() async throws {
        let needed = #""parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": "string"}}], "#
        let paths = #""/found": \#(Self.get(nil, needed)), "/things": \#(Self.get(nil))"#
        #expect(try await Self.draft(paths, ["/things": Self.things]).asked == ["/things"])
    }

    @Test(arguments: ["", "text", "[", #"{"openapi": "3.0.0", "paths": {}}"#, "[[[[1]]]]", "{}", "7"])
    func pathWithAnUnsuitableAnswerIsLeftOut(answer: String) async throws {
        let paths = #""/marks": \#(Self.get(nil)), "/things": \#(Self.get(nil))"#
        let (text, _) = try await Self.draft(paths, ["/things": Self.things, "/marks": answer])
        #expect(text.contains(#""thing": {"#) && !text.contains(#""mark": {"#))
    }
}
