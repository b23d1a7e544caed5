import Catalog
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

@testable import CatalogTools

/// Tests the search for the description of an API.
@Suite(.limited) struct DocumentFinderTests {
    private static let document = Array(#"{"openapi": "3.1.0", "paths": {}}"#.utf8)

    /// Searches a server that has only the given paths. Returns the found description and the requested URLs.
    private static func found(
        _ url: String, _ paths: [String: [UInt8]], headers: [HTTPHeader] = []
    ) async throws -> (found: DocumentFinder.Found, asked: [String]) {
        let client = HTTPClientMock { request in
            let path = request.url.replacing("https://a.test", with: "")
            return .success(
                paths[path].map { HTTPResponse(status: 200, headers: headers, body: $0) } ?? HTTPResponse(status: 404))
        }
        let reader = try DocumentReader(client: client, headers: [], explain: explained, secrets: .empty, hidden: [])
        return (try await DocumentFinder(reader: reader).find(at: .url(url)), client.requests.map(\.url))
    }

    @Test func documentAtTheGivenURLIsFoundWithOneRequest() async throws {
        let (found, asked) = try await Self.found("https://a.test/x", ["/x": Self.document])
        #expect(found == .document(.url("https://a.test/x")) && asked == ["https://a.test/x"])
        let swagger = Array("swagger: '2.0'\npaths: {}\n".utf8)
        #expect(try await Self.found("https://a.test/y", ["/y": swagger]).found == .document(.url("https://a.test/y")))
    }

    @Test(
        arguments: [
            ("https://a.test/v1/users", "/v1/users/openapi.json"), ("https://a.test/v1/users", "/v1/openapi.json"),
            ("https://a.test/v1/users?x=1", "/swagger/v1/swagger.json"), ("https://a.test", "/openapi.json"),
            ("https://a.test/v1/", "/v1/v3/api-docs"), ("https://a.test/v1/users", "/api/schema/"),
        ])
    func usualDocumentPathsAreTried(url: String, path: String) async throws {
        let (found, asked) = try await Self.found(url, [path: Self.document])
        #expect(found == .document(.url("https://a.test\(path)")))
        #expect(Set(asked).count == asked.count && asked.count <= 46)
    }

    @Test func linksOfAWebPageAreTriedFirst() async throws {
        let page = Array(#"<a href="https://b.test/openapi.json">x</a> url: '/deep/openapi-v3.json'"#.utf8)
        let (found, asked) = try await Self.found(
            "https://a.test/docs", ["/docs": page, "/deep/openapi-v3.json": Self.document])
        #expect(found == .document(.url("https://a.test/deep/openapi-v3.json")))
        #expect(asked == ["https://a.test/docs", "https://a.test/deep/openapi-v3.json"])
    }

    @Test func linkWithTheRelationServiceDescIsTriedFirst() async throws {
        let links = #"{"links": [{"rel": "self", "href": "/"}, {"rel": "service-desc", "href": "/description"}]}"#
        let (found, asked) = try await Self.found(
            "https://a.test/", ["/": Array(links.utf8), "/description": Self.document])
        #expect(found == .document(.url("https://a.test/description")) && asked.count == 2)
    }

    @Test func linkHeaderWithTheRelationServiceDescIsTriedFirst() async throws {
        let header = HTTPHeader("Link", "</help>; rel=\"service-doc\", </description>; rel=\"service-desc\"")
        let (found, asked) = try await Self.found(
            "https://a.test/", ["/": Array("[]".utf8), "/description": Self.document], headers: [header])
        #expect(found == .document(.url("https://a.test/description")))
        #expect(asked == ["https://a.test/", "https://a.test/description"])
    }

    @Test(
        arguments: [
            (#""/openapi.json""#, ["/openapi.json"]), ("'swagger.yaml'", ["swagger.yaml"]),
            (#""/v3/api-docs""#, ["/v3/api-docs"]),
            (#""/openapi.yml""#, ["/openapi.yml"]), (#""/other.json""#, []), (#""openapi.html""#, []),
            (#""an openapi.json""#, []), (#""<openapi.json""#, []), ("/openapi.json", ["/openapi.json"]),
            (
                "\"\(String(repeating: "a", count: 188))openapi.json\"",
                [String(repeating: "a", count: 188) + "openapi.json"]
            ),
            ("\"\(String(repeating: "a", count: 189))openapi.json\"", []),
        ])
    func linksToDocumentsAreRecognized(page: String, links: [String]) {
        #expect(DocumentFinder.links(in: page) == links)
    }

    @Test func atMostTenLinksAreTried() {
        let links = (0..<20).map { "/\($0)/openapi.json" }
        let candidates = DocumentFinder.candidates(below: "https://a.test/", links)
        #expect(candidates.contains("https://a.test/9/openapi.json"))
        #expect(!candidates.contains("https://a.test/10/openapi.json"))
    }

    @Test func pathThatEndsWithGraphQLIsAnEndpoint() async throws {
        for path in ["/graphql", "/api/GraphQL/", "/graphql?x=1"] {
            let (found, asked) = try await Self.found("https://a.test\(path)", [:])
            #expect(found == .graphQL("https://a.test\(path)") && asked.isEmpty)
        }
    }

    @Test func answerOfTheURLIsReturnedIfThereIsNoDocument() async throws {
        let (found, asked) = try await Self.found("https://a.test/things", ["/things": Array("[1]".utf8)])
        #expect(found == .answer(.url("https://a.test/things")) && asked.count > 20)
    }

    @Test func errorOfTheURLIsThrownIfThereIsNoDocument() async throws {
        await #expect(throws: CatalogDraftError.self) { _ = try await Self.found("https://a.test/x", [:]) }
    }

    @Test func unreachableHostGetsOneRequest() async throws {
        let client = HTTPClientMock(.failure(.network("no route")))
        let reader = try DocumentReader(client: client, headers: [], explain: explained, secrets: .empty, hidden: [])
        await #expect(throws: CatalogDraftError.self) {
            _ = try await DocumentFinder(reader: reader).find(at: .url("https://a.test/x"))
        }
        #expect(client.requests.count == 1)
    }

    @Test func fileMayBeADocumentOrAnAnswer() async throws {
        let folder = try TemporaryDirectory()
        for (text, isDocument) in [(#"{"swagger": "2.0"}"#, true), ("[1]", false), ("{", false)] {
            let path = FilePath(folder.file("x"))
            try Files.writeAtomically(Array(text.utf8), to: path)
            let found = try await DocumentFinder(reader: DocumentReader()).find(at: .file(path))
            #expect(found == (isDocument ? .document(.file(path)) : .answer(.file(path))))
        }
    }
}
