import Catalog
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

@testable import CatalogTools

/// Tests reading documents and the documents that they refer to.
@Suite(.limited) struct DocumentReaderTests {
    private static func reader(_ client: HTTPClientMock) throws -> DocumentReader {
        try DocumentReader(
            client: client, headers: ["X-Key: abc"], explain: explained, secrets: .empty, hidden: [])
    }

    @Test func documentLocationIsTheURLAfterRedirects() async throws {
        var response = HTTPResponse(status: 200, body: [0x7B, 0x7D])
        response.redirectedURL = "https://b.test/v2/openapi.json"
        let client = HTTPClientMock(.success(response))
        let read = try await Self.reader(client).read(.url("https://a.test/openapi.json#x"))
        #expect(read.location == .url("https://b.test/v2/openapi.json"))
        #expect(client.requests.map(\.url) == ["https://a.test/openapi.json"])
        #expect(client.requests.map(\.isBoundToOrigin) == [false])
    }

    @Test(
        arguments: [("https://a.test/x", ["X-Key"]), ("https://b.test/x", [])] as [(String, [String])])
    func headersAreSentForReferencesOnlyToTheOriginOfTheArgument(url: String, names: [String]) async throws {
        let client = HTTPClientMock(.success(HTTPResponse(status: 200, body: [0x31])))
        _ = try await Self.reader(client).read(
            .url(url), for: .url(url), namedBy: .url("https://a.test/openapi.json"))
        let request = try #require(client.requests.first)
        #expect(request.isBoundToOrigin && request.credentials.map(\.name) == names)
    }

    @Test(
        arguments: [
            (.success(HTTPResponse(status: 200)), "has no body", false),
            (.success(HTTPResponse(status: 404, body: [0x31])), "404", false),
            (.success(HTTPResponse(status: 300, body: [0x31])), "300", false),
            (.failure(.network("broken")), "broken", true),
        ] as [(Result<HTTPResponse, HTTPError>, String, Bool)])
    func unusableAnswerIsReported(
        answer: Result<HTTPResponse, HTTPError>, reason: String, isUnreachable: Bool
    ) async throws {
        let reader = try Self.reader(HTTPClientMock(answer))
        let error = await #expect(throws: CatalogDraftError.self) { try await reader.read(.url("https://a.test/x")) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.isUnreachable == isUnreachable)
    }

    @Test(
        arguments: [
            ("{", "JSON"), ("  [", "JSON"), ("\n\t{", "JSON"), ("\u{FEFF} {", "JSON"), ("a: [", "YAML"),
            ("\"a", "YAML"),
        ])
    func firstCharacterDeterminesTheFormatOfADocument(text: String, format: String) {
        let error = #expect(throws: CatalogDraftError.self) { try DocumentText.json(Array(text.utf8)) }
        #expect(error?.message.hasPrefix("the document is not \(format): ") == true, "\(error?.message ?? "")")
    }

    @Test func symbolicLinkOutOfTheFolderIsRefused() async throws {
        let folder = try TemporaryDirectory()
        mkdir(folder.file("api"), 0o700)
        for name in ["secret.yaml", "api/own.yaml"] { try folder.write(Array("a: 1".utf8), to: name) }
        for (name, target) in [("api/out.yaml", "../secret.yaml"), ("api/in.yaml", "own.yaml")] {
            #expect(symlink(target, folder.file(name)) == 0)
        }
        let root = DocumentLocation.file(folder.file("api/root.yaml"))
        func read(_ name: String) async -> String? {
            do throws(CatalogDraftError) {
                _ = try await DocumentReader().read(
                    .file(folder.file("api/\(name)")), for: root, namedBy: root)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(await read("own.yaml") == nil)
        #expect(await read("in.yaml") == nil)
        #expect(await read("out.yaml") == DocumentLocation.outside)
        #expect(await read("none.yaml")?.hasSuffix("No such file or directory") == true)
    }
}
