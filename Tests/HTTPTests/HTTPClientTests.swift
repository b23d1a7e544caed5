import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests requests and answers of the HTTP client over real sockets.
@Suite(.limited) struct HTTPClientTests {
    private let client = HTTPClient(version: "1.2.3")

    @Test func requestHeadersAreSent() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let request = HTTPRequest(
            url: server.origin + "/p%20q?x=%26",
            headers: [HTTPHeader("Accept", "application/json"), HTTPHeader("X-Empty", "")],
            credentials: [HTTPHeader("Authorization", "Bearer t")])
        _ = try await client.send(request)
        let seen = try #require(server.requests.first)
        #expect(seen.method == "GET")
        #expect(seen.target == "/p%20q?x=%26")
        #expect(seen.headers["accept"] == "application/json")
        #expect(seen.headers["x-empty"] == "")
        #expect(seen.headers["authorization"] == "Bearer t")
        #expect(seen.headers["user-agent"] == "larder/1.2.3")
        #expect(seen.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test func userAgentOfTheRequestOverridesTheDefault() async throws {
        let server = try LoopbackServer { _ in .text("") }
        _ = try await client.send(HTTPRequest(url: server.origin, headers: [HTTPHeader("user-agent", "mine")]))
        let agents = server.requests[0].headers.filter { $0.name.lowercased() == "user-agent" }
        #expect(agents.map(\.value) == ["mine"])
    }

    @Test func postRequestHasItsBodyAndNoDefaultHeadersOfLibcurl() async throws {
        let server = try LoopbackServer { _ in .text("") }
        // This size makes libcurl send "Expect: 100-continue" by default.
        let body = [UInt8](repeating: UInt8(ascii: "b"), count: 2 << 20)
        _ = try await client.send(HTTPRequest(method: .post, url: server.origin, body: body))
        _ = try await client.send(HTTPRequest(method: .post, url: server.origin))
        _ = try await client.send(HTTPRequest(url: server.origin))
        let seen = server.requests
        #expect(seen.map(\.method) == ["POST", "POST", "GET"])
        #expect(seen[0].body == body)
        #expect(seen[0].headers["expect"] == nil)
        #expect(seen[0].headers["content-type"] == nil)
        #expect(seen[1].headers["content-length"] == "0")
        #expect(seen[2].headers["content-length"] == nil)
    }

    /// libcurl keeps the header fields of earlier requests, so the client must remove them.
    @Test func requestSendsNoHeadersOfEarlierRequests() async throws {
        let server = try LoopbackServer { _ in .text("") }
        let secret = [HTTPHeader("Authorization", "Bearer t")]
        _ = try await client.send(
            HTTPRequest(url: server.origin, headers: [HTTPHeader("X-A", "1")], credentials: secret))
        _ = try await client.send(HTTPRequest(url: server.origin, headers: [HTTPHeader("X-A", "1")]))
        _ = try await client.send(HTTPRequest(url: server.origin))
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer t", nil, nil])
        #expect(server.requests.map { $0.headers["x-a"] } == ["1", "1", nil])
    }

    @Test(arguments: [
        HTTPHeader("X-A", "1\r\nX-B: 2"), HTTPHeader("X-A", "1\n"), HTTPHeader("X-A", "\0"), HTTPHeader("X A", "1"),
        HTTPHeader("", "1"), HTTPHeader("X:", "1"),
    ])
    func headersWithLineBreaksOrInvalidNamesAreRejected(header: HTTPHeader) async throws {
        let server = try LoopbackServer { _ in .text("") }
        do {
            _ = try await client.send(HTTPRequest(url: server.origin, headers: [header]))
            Issue.record("the request was sent")
        } catch {
            guard case .invalidURL(let text) = error.reason else { throw error }
            #expect(!text.contains("\n"))
        }
        #expect(server.requests.isEmpty)
    }

    @Test func gzipBodiesAreDecoded() async throws {
        let server = try LoopbackServer { _ in
            .normal(headers: [HTTPHeader("Content-Encoding", "gzip")], body: Self.gzip)
        }
        // The compressed body is larger than the limit.
        let request = HTTPRequest(url: server.origin, maxBodySize: 16)
        #expect(try await client.send(request).body == Array(#"{"hello":"gzip"}"#.utf8))
    }

    @Test func chunkedBodiesAreReadAndTrailersDropped() async throws {
        let server = try LoopbackServer { _ in
            .chunked(
                headers: [HTTPHeader("X-A", "1"), HTTPHeader("X-A", "2")], chunks: [Array("ab".utf8), Array("c".utf8)],
                trailers: [HTTPHeader("X-Late", "1"), HTTPHeader("Location", "/x")])
        }
        let response = try await client.send(HTTPRequest(url: server.origin))
        #expect(response.body == Array("abc".utf8))
        #expect(
            response.headers == [
                HTTPHeader("Transfer-Encoding", "chunked"), HTTPHeader("X-A", "1"), HTTPHeader("X-A", "2"),
            ])
    }

    @Test func informationalAnswersAreIgnored() async throws {
        let server = try LoopbackServer { _ in
            .raw(
                Array(
                    """
                    HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
                    HTTP/1.1 200 OK\r\nX-A:  spaced value \r\nContent-Length: 2\r\n\r\nok
                    """.utf8))
        }
        let response = try await client.send(HTTPRequest(url: server.origin))
        #expect(response.status == 200)
        #expect(response.headers == [HTTPHeader("X-A", "spaced value"), HTTPHeader("Content-Length", "2")])
        #expect(response.body == Array("ok".utf8))
    }

    @Test(arguments: [204, 304]) func answersWithoutABodyAreAccepted(status: Int) async throws {
        // A 304 announces the length of the body that it omits (RFC 9110, section 8.6).
        let server = try LoopbackServer { _ in
            .normal(status: status, headers: status == 304 ? [HTTPHeader("Content-Length", "999")] : [])
        }
        let response = try await client.send(HTTPRequest(url: server.origin, maxBodySize: 10))
        #expect(response.status == status)
        #expect(response.body.isEmpty)
    }

    @Test func httpConnectionIsReused() async throws {
        let server = try LoopbackServer { .text($0.target) }
        for index in 0..<20 {
            let method: HTTPMethod = index % 3 == 0 ? .post : .get
            _ = try await client.send(
                HTTPRequest(method: method, url: "\(server.origin)/\(index)", isRepeatable: true))
        }
        #expect(server.requests.count == 20)
        #expect(server.connections == 1)
    }

    /// libcurl repeats a request if the reused connection was dead.
    @Test func unrepeatableRequestUsesANewConnection() async throws {
        let server = try LoopbackServer { .text($0.target) }
        for _ in 0..<3 {
            _ = try await client.send(HTTPRequest(method: .post, url: server.origin, isRepeatable: false))
        }
        #expect(server.connections == 3)
    }

    /// A server may close an idle connection. The next request must still succeed.
    @Test func closedHTTPConnectionIsReplaced() async throws {
        let server = try LoopbackServer { request in
            request.connection == 1
                ? .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1".utf8)) : .text("2")
        }
        #expect(try await client.send(HTTPRequest(url: server.origin)).body == Array("1".utf8))
        #expect(try await client.send(HTTPRequest(url: server.origin)).body == Array("2".utf8))
        #expect(server.connections == 2)
    }

    /// The text `{"hello":"gzip"}`, compressed with gzip.
    static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0xca, 0x48, 0xcd, 0xc9, 0xc9, 0x57,
        0xb2, 0x52, 0x4a, 0xaf, 0xca, 0x2c, 0x50, 0xaa, 0x05, 0x00, 0xf6, 0x4f, 0x05, 0x6f, 0x10, 0x00, 0x00, 0x00,
    ]
}
