import DataSources
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

/// Secrets do not appear in errors, even if the API repeats the request.
@Suite(.limited) struct RemoteSecretTests {
    private static let secret = "s3cr3t/+ é"

    private static let auths = [
        #"{"bearer": "s3cr3t/+ é"}"#,
        #"{"basic": {"user": "rick", "password": "s3cr3t/+ é"}}"#,
        #"{"apiKey": {"in": "header", "name": "X-Key", "value": "s3cr3t/+ é"}}"#,
        #"{"apiKey": {"in": "query", "name": "key", "value": "s3cr3t/+ é"}}"#,
    ]

    /// Returns an answer that repeats the request at the places that errors quote.
    private static func echo(_ request: HTTPRequest, _ index: Int) -> Result<HTTPResponse, HTTPError> {
        let seen = ([request.url] + request.credentials.map(\.value)).joined(separator: " ")
        switch index {
        case 0: return .failure(.network(seen))
        case 1: return .failure(.notHTTP(seen))
        case 2: return .failure(.invalidURL(seen))
        case 3: return .success(.of(200, #"{"errors":[{"message":"\#(seen)","path":["\#(seen)",1]}]}"#))
        case 4: return .success(.of(500, seen))
        case 5: return .success(.of(200, seen))
        default: return .success(.of(429, seen, [HTTPHeader("Retry-After", seen)]))
        }
    }

    @Test(arguments: RemoteSubject.allCases, auths)
    func remoteErrorsContainNoSecret(subject: RemoteSubject, auth: String) async throws {
        let secrets = [
            Self.secret, PercentEncoding.encode(Self.secret), Base64.encode(Array(Self.secret.utf8)),
            Base64.encode(Array("rick:\(Self.secret)".utf8)),
        ]
        for index in 0...6 {
            let mock = HTTPClientMock { Self.echo($0, index) }
            let source = try subject.source(mock, auth: auth)
            let error = try #require(await failure { () throws(APIError) in try await source.page(PageRequest()) })
            let sent = try #require(mock.requests.first)
            let wire = sent.url + sent.credentials.map(\.value).joined()
            #expect(subject == .graphql || secrets.contains { wire.contains($0) })
            for text in [error.message, error.path ?? "", error.url ?? "", "\(error)"] {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
            // An invalid URL causes no request.
            #expect(error.attempts == (error.message.hasPrefix("cannot build the request") ? 0 : 1))
        }
    }

    /// Items contain the URL of their request, from which secrets are redacted.
    @Test(arguments: auths)
    func remoteAnswersContainNoSecret(auth: String) async throws {
        let subject = RemoteSubject.rest
        let source = try subject.source(HTTPClientMock(.success(.of(200, subject.itemBody(1)))), auth: auth)
        let item = try await source.item("1")
        #expect(item.url.hasPrefix(subject.itemURL))
        #expect(!item.url.contains(PercentEncoding.encode(Self.secret)))
    }

    /// Validators with a secret are not stored, because stored validators are in the cache file.
    @Test(arguments: ["ETag", "Last-Modified"]) func storedValidatorsContainNoSecret(field: String) async throws {
        let subject = RemoteSubject.rest
        let values = ["\"harmless\"", "\"\(Self.secret)\"", Base64.encode(Array("a \(Self.secret)".utf8))]
        for value in values {
            let answer = HTTPResponse.of(200, subject.itemBody(1), [HTTPHeader(field, value)])
            let source = try subject.source(HTTPClientMock(.success(answer)), auth: Self.auths[0])
            guard case .changed(_, let validators) = try await source.item("1", since: nil) else { continue }
            #expect((validators?.etag ?? validators?.lastModified) == (value == values[0] ? value : nil))
        }
    }
}
