import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests the errors of the HTTP client.
@Suite(.limited) struct HTTPClientFailureTests {
    private let client = HTTPClient(version: "test")

    @Test(arguments: [
        "", "/relative", "127.0.0.1", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/",
        "http://[::1/", "http://127.0.0.1:99999/", "http://user:secret@127.0.0.1/", "http://127.0.0.1/\0x",
    ])
    func invalidURLsAreRejected(url: String) async throws {
        do {
            _ = try await client.send(HTTPRequest(url: url))
            Issue.record("the request was sent")
        } catch {
            guard case .invalidURL(let text) = error.reason else { throw error }
            #expect(!text.contains("secret"))
        }
    }

    @Test(arguments: [
        "<html>no HTTP at all</html>\n", "HTTP/1.1 abc\r\n\r\n", "\r\n\r\n", "{\"json\": true}",
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\nxxx",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
        "HTTP/1.1 200 OK\r\nContent-Encoding: unheard\r\nContent-Length: 4\r\n\r\nabcd",
    ])
    func invalidHTTPAnswersAreReported(answer: String) async throws {
        let server = try LoopbackServer { _ in .raw(Array(answer.utf8)) }
        do {
            let response = try await client.send(HTTPRequest(url: server.origin))
            Issue.record("the client returned an answer: \(response)")
        } catch {
            guard case .notHTTP = error.reason else { throw error }
        }
    }

    @Test(arguments: [
        LoopbackResponse.close, .truncated(announced: 100, body: Array("part".utf8)),
        .raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab".utf8)),
    ])
    func brokenConnectionIsANetworkError(response: LoopbackResponse) async throws {
        let server = try LoopbackServer { _ in response }
        do {
            _ = try await client.send(HTTPRequest(url: server.origin + "/?key=secret"))
            Issue.record("the client returned an answer")
        } catch {
            guard case .network(let text) = error.reason else { throw error }
            #expect(!text.isEmpty)
            #expect(!text.contains("secret"))
        }
    }

    @Test func refusedConnectionIsANetworkError() async throws {
        let server = try LoopbackServer { _ in .close }
        server.stop()
        await #expect { try await client.send(HTTPRequest(url: server.origin + "/?key=secret")) } throws: { error in
            guard case .network(let text)? = (error as? HTTPError)?.reason else { return false }
            return !text.contains("secret")
        }
    }

    @Test func missingAnswerIsATimeout() async throws {
        let server = try LoopbackServer { _ in .silence }
        await #expect(throws: HTTPError.timeout(80)) {
            try await client.send(HTTPRequest(url: server.origin, timeout: 80))
        }
        await #expect(throws: HTTPError.timeout(0)) {
            try await client.send(HTTPRequest(url: server.origin, timeout: 0))
        }
    }

    @Test func timeoutDoesNotAffectOtherRequests() async throws {
        let gate = Gate()
        let server = try LoopbackServer { $0.target == "/slow" ? .held(gate, .text("slow")) : .silence }
        let client = client
        async let slow = client.send(HTTPRequest(url: server.origin + "/slow", timeout: 600_000))
        await #expect(throws: HTTPError.timeout(50)) {
            try await client.send(HTTPRequest(url: server.origin + "/never", timeout: 50))
        }
        gate.open()
        #expect(try await slow.body == Array("slow".utf8))
    }

    @Test func endlessBodyIsAbortedAtTheLimit() async throws {
        let server = try LoopbackServer { _ in .endless() }
        await #expect(throws: HTTPError.tooLarge(limit: 100_000)) {
            try await client.send(HTTPRequest(url: server.origin, timeout: 600_000, maxBodySize: 100_000))
        }
        await server.left(1)
    }

    @Test func announcedOversizedBodyIsRejectedEarly() async throws {
        let server = try LoopbackServer { _ in .truncated(announced: 101, body: []) }
        await #expect(throws: HTTPError.tooLarge(limit: 100)) {
            try await client.send(HTTPRequest(url: server.origin, maxBodySize: 100))
        }
    }

    /// The size limit counts decoded bytes: 133 compressed bytes become a body of 100,000 bytes.
    @Test func bodyLimitAppliesToDecodedBytes() async throws {
        let start: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2,
            0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0x1a, 0x1e, 0x40, 0x01,
        ]
        let zeros = [UInt8](repeating: 0, count: 96)
        let bomb = start + zeros + [0xaf, 0x06, 0x87, 0xfa, 0xe2, 0x1b, 0xa0, 0x86, 0x01, 0x00]
        let server = try LoopbackServer { _ in .normal(headers: [HTTPHeader("Content-Encoding", "gzip")], body: bomb) }
        #expect(try await client.send(HTTPRequest(url: server.origin, maxBodySize: 100_000)).body.count == 100_000)
        await #expect(throws: HTTPError.tooLarge(limit: 99_999)) {
            try await client.send(HTTPRequest(url: server.origin, maxBodySize: 99_999))
        }
    }

    @Test func endlessHeaderSectionIsRejected() async throws {
        let line = "X-Long: \(String(repeating: "x", count: 8000))\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 40)
        let server = try LoopbackServer { _ in .raw(Array(head.utf8)) }
        await #expect { try await client.send(HTTPRequest(url: server.origin)) } throws: { error in
            if case .notHTTP? = (error as? HTTPError)?.reason { true } else { false }
        }
    }

    @Test func cancellingAbortsTheTransfer() async throws {
        let server = try LoopbackServer { $0.target == "/body" ? .endless() : .silence }
        // On a busy machine many bytes arrive before the cancellation.
        let client = HTTPClient(version: "test", memoryInFlight: 1 << 40)
        for path in ["/body", "/nothing"] {
            let url = server.origin + path
            let before = server.requests.count
            let task = Task {
                try await client.send(HTTPRequest(url: url, timeout: 600_000, maxBodySize: .max))
            }
            await server.arrived(before + 1)
            task.cancel()
            await #expect(throws: HTTPError.cancelled) { try await task.value }
            await server.left(before + 1)
        }
    }

    @Test func cancellationAtAnyTimeFinishesARequestOnce() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let client = client
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let task = Task {
                        try await client.send(HTTPRequest(url: "\(server.origin)/\(index)", timeout: 600_000))
                    }
                    for _ in 0..<(index % 23) { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success(let response): #expect(response.body == Array("/\(index)".utf8))
                    case .failure(let error): #expect((error as? HTTPError)?.reason == .cancelled)
                    }
                }
            }
        }
    }
}
