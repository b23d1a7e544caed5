import DataSources
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests the behavior that all HTTP clients share: clients of a server, clients with limits, and clients that record or
/// replay.
@Suite(.limited) struct HTTPClientContractTests {
    enum Subject: CaseIterable {
        case curl, api, recording, replay
    }

    /// A client with the objects that it depends on.
    private struct Setup {
        let client: any HTTPClientContract
        let server: LoopbackServer
        let folder: TemporaryDirectory
    }

    /// Returns a client that is ready for `requests`. For the replaying client, they are recorded first.
    private func setUp(
        _ subject: Subject, for requests: (String) -> [HTTPRequest],
        _ responder: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) async throws -> Setup {
        let server = try LoopbackServer(responder)
        let folder = try TemporaryDirectory()
        let curl = HTTPClient(version: "test")
        let recording = RecordingHTTPClient(
            wrapping: curl, directory: FilePath(folder.path + "/cassettes"), redactor: .none)
        let client: any HTTPClientContract
        switch subject {
        case .curl: client = curl
        case .api:
            let limiter = RequestLimiter(
                maxConcurrent: 3, rateLimit: RateLimit(requests: 1000, per: 1000))
            client = APIClient(curl, limiter: limiter, counters: RemoteCounters())
        case .recording: client = recording
        case .replay:
            for var request in requests(server.origin) {
                request.maxBodySize = 1 << 20
                _ = try await recording.send(request)
            }
            server.stop()
            client = ReplayHTTPClient(directory: FilePath(folder.path + "/cassettes"), redactor: .none)
        }
        return Setup(client: client, server: server, folder: folder)
    }

    @Test(arguments: Subject.allCases, [200, 201, 400, 404, 429, 500, 503])
    func answerIsReturnedForAnyStatus(subject: Subject, status: Int) async throws {
        let request = { (origin: String) in HTTPRequest(url: origin + "/a?b=c") }
        let setup = try await setUp(subject, for: { [request($0)] }) { _ in
            .normal(status: status, headers: [HTTPHeader("Content-Type", "a/b")], body: Array("{}".utf8))
        }
        let response = try await setup.client.send(request(setup.server.origin))
        #expect(response.status == status)
        #expect(response.headers["content-type"] == "a/b")
        #expect(response.body == Array("{}".utf8))
    }

    @Test(arguments: Subject.allCases)
    func bodyIsReturnedUnchanged(subject: Subject) async throws {
        let bodies: [[UInt8]] = [
            [], Array("plain\r\n\u{85}\u{2028}\"\\ \u{1F600}\u{0}".utf8), (0...255).map { UInt8($0) }, [0xFF],
            [UInt8](repeating: 0x61, count: 300_000),
        ]
        let requests = { (origin: String) in bodies.indices.map { HTTPRequest(url: "\(origin)/\($0)") } }
        let setup = try await setUp(subject, for: requests) { request in
            .normal(body: bodies[Int(request.target.dropFirst()) ?? 0])
        }
        for (request, body) in zip(requests(setup.server.origin), bodies) {
            #expect(try await setup.client.send(request).body == body)
        }
    }

    @Test(arguments: Subject.allCases)
    func requestsDifferByMethodURLAndBody(subject: Subject) async throws {
        let requests = { (origin: String) in
            [
                HTTPRequest(url: origin + "/a"), HTTPRequest(url: origin + "/a?x=1"),
                HTTPRequest(method: .post, url: origin + "/a"),
                HTTPRequest(method: .post, url: origin + "/a", body: Array("one".utf8)),
                HTTPRequest(method: .post, url: origin + "/a", body: Array("two".utf8)),
            ]
        }
        let setup = try await setUp(subject, for: requests) { request in
            .text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))")
        }
        var texts: [String] = []
        for request in requests(setup.server.origin) {
            texts.append(String(decoding: try await setup.client.send(request).body, as: UTF8.self))
        }
        #expect(texts == ["GET /a ", "GET /a?x=1 ", "POST /a ", "POST /a one", "POST /a two"])
    }

    @Test(arguments: Subject.allCases)
    func bodyOverTheLimitIsRejected(subject: Subject) async throws {
        let request = { (origin: String, limit: Int) in HTTPRequest(url: origin + "/a", maxBodySize: limit) }
        let setup = try await setUp(subject, for: { [request($0, 10)] }) { _ in .text("0123456789") }
        #expect(try await setup.client.send(request(setup.server.origin, 10)).body.count == 10)
        await #expect(throws: HTTPError.tooLarge(limit: 9)) {
            try await setup.client.send(request(setup.server.origin, 9))
        }
    }

    @Test(arguments: Subject.allCases)
    func cancelledTaskSendsNothing(subject: Subject) async throws {
        let request = { (origin: String) in HTTPRequest(url: origin + "/a") }
        let setup = try await setUp(subject, for: { [request($0)] }) { _ in .text("a") }
        let before = setup.server.requests.count
        let client = setup.client
        let origin = setup.server.origin
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(request(origin))
        }
        await #expect { try await task.value } throws: { ($0 as? HTTPError)?.reason == .cancelled }
        #expect(setup.server.requests.count == before)
    }

    @Test(arguments: Subject.allCases)
    func concurrentRequestsGetTheirOwnAnswers(subject: Subject) async throws {
        let requests = { (origin: String) in
            (0..<200).map { HTTPRequest(url: "\(origin)/item/\($0)", timeout: 600_000) }
        }
        let setup = try await setUp(subject, for: requests) { .text($0.target) }
        let all = requests(setup.server.origin)
        let client = setup.client
        try await withThrowingTaskGroup(of: (String, HTTPResponse).self) { group in
            for request in all { group.addTask { (request.url, try await client.send(request)) } }
            for try await (url, response) in group {
                #expect(url.hasSuffix(String(decoding: response.body, as: UTF8.self)))
            }
        }
    }
}
