import DataSources
import HTTP
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests the clients that record and replay cassettes.
@Suite(.limited) struct CassetteClientTests {
    private let folder: TemporaryDirectory
    private var directory: FilePath { FilePath(folder.path + "/new/cassettes") }

    init() throws { folder = try TemporaryDirectory() }

    private func text(of name: FilePath) throws -> String {
        String(decoding: try Files.read(directory + "/" + name), as: UTF8.self)
    }

    @Test func repeatedRequestReplacesItsCassette() async throws {
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200, body: Array("one".utf8))))
        let recording = RecordingHTTPClient(wrapping: mock, directory: directory, redactor: .none)
        let request = HTTPRequest(url: "https://api.example/a")
        _ = try await recording.send(request)
        mock.set(.success(HTTPResponse(status: 404, body: Array("two".utf8))))
        _ = try await recording.send(request)
        #expect(
            try Files.list(directory).map(\.description)
                == [CassetteRequest(method: .get, url: request.url, bodySHA256: nil).fileName])
        let response = try await ReplayHTTPClient(directory: directory, redactor: .none).send(request)
        #expect(response == HTTPResponse(status: 404, body: Array("two".utf8)))
    }

    /// Failed attempts leave no cassette. A cassette that cannot be saved does not count as a failure of the API.
    @Test func onlyTheFinalAnswerOfACallIsRecorded() async throws {
        let left = Lock([503, 200])
        let mock = HTTPClientMock { _ in .success(HTTPResponse(status: left.withLock { $0.removeFirst() })) }
        let counters = RemoteCounters()
        let client = APIClient(mock, retries: 1, counters: counters, timer: TimerMock(passesWithSleeps: true))
        let request = HTTPRequest(url: "https://api.example/a")
        let recording = RecordingHTTPClient(wrapping: client, directory: directory, redactor: .none)
        #expect(try await recording.send(request).attempts == 2)
        let replay = ReplayHTTPClient(directory: directory, redactor: .none)
        #expect(try await replay.send(request) == HTTPResponse(status: 200))
        mock.set(.success(HTTPResponse(status: 200)))
        try Files.writeAtomically([], to: FilePath(folder.path + "/file"))
        let nowhere = RecordingHTTPClient(
            wrapping: client, directory: FilePath(folder.path + "/file/cassettes"), redactor: .none)
        let error = await #expect(throws: HTTPError.self) { try await nowhere.send(request) }
        if case .notRecorded = error?.reason {} else { Issue.record("\(String(describing: error))") }
        #expect(counters.statistics.failures == 1)
    }

    @Test func secretsAreNotRecorded() async throws {
        let mock = HTTPClientMock { request in
            .success(
                HTTPResponse(
                    status: 200,
                    headers: [
                        HTTPHeader("Set-Cookie", "hidden"),
                        HTTPHeader("Link", "<https://api.example/a?key=hunter22&page=2>"),
                    ],
                    body: Array("you are hunter22".utf8)))
        }
        let recording = RecordingHTTPClient(
            wrapping: mock, directory: directory, redactor: Redactor(secrets: ["hunter22"]))
        let request = HTTPRequest(
            method: .post, url: "https://api.example/a?key=hunter22", headers: [HTTPHeader("X-Key", "hunter22")],
            credentials: [HTTPHeader("Authorization", "hunter22")], body: Array("I am hunter22".utf8))
        #expect(try await recording.send(request).body == Array("you are hunter22".utf8))
        let name = try #require(try Files.list(directory).first)
        let saved = try text(of: name)
        #expect(!saved.contains("hunter22") && !name.description.contains("hunter22") && !saved.contains("hidden"))
        #expect(saved.contains("you are ***"))
        #expect(saved.contains(SHA256.hexHash(Array("I am ***".utf8))))

        // A different secret matches the same cassette.
        let replay = ReplayHTTPClient(directory: directory, redactor: Redactor(secrets: ["let me in"]))
        var other = request
        other.url = "https://api.example/a?key=let%20me%20in"
        other.body = Array("I am let me in".utf8)
        #expect(try await replay.send(other).body == Array("you are ***".utf8))
        other.url += "&more"
        await #expect(
            throws: HTTPError.notReplayed(
                "no cassette for POST https://api.example/a?key=***&more in \(directory); to record one, use --record"
                    + " instead of --replay")
        ) { try await replay.send(other) }
    }

    @Test func cassettesContainTheDeclaredURL() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let origin = server.origin
        let canonicalURL: @Sendable (String) -> String = { url in
            url.hasPrefix(origin) ? "https://api.example" + url.dropFirst(origin.count) : url
        }
        let recording = RecordingHTTPClient(
            wrapping: HTTPClient(version: "test"), directory: directory, canonicalURL: canonicalURL,
            redactor: .none)
        _ = try await recording.send(HTTPRequest(url: origin + "/a"))
        let name = try #require(try Files.list(directory).first)
        #expect(try text(of: name).contains(#""url": "https://api.example/a""#))
        let replay = ReplayHTTPClient(directory: directory, redactor: .none)
        #expect(try await replay.send(HTTPRequest(url: "https://api.example/a")).body == Array("/a".utf8))
    }

    /// Cassettes contain the header fields that the catalog reads, because a list with page info in them could not be
    /// replayed otherwise.
    @Test func headersThatTheCatalogReadsAreRecorded() async throws {
        let rest = """
            {"list": {"path": "/t", "pagination": {"style": "page", "param": "p", "next": {"header": "X-Next"}},
            "errors": [{"when": {"header": "X-Left"}, "is": "0", "kind": "rateLimited"}]}}
            """
        let catalog = try CatalogText.decode(CatalogText.make(rest: rest))
        #expect(catalog.answerHeaders == ["x-next", "x-left"])
        let fields = ["X-Next": "2", "X-Left": "7", "X-Other": "1"].map { HTTPHeader($0.key, $0.value) }
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200, headers: fields)))
        let recording = RecordingHTTPClient(
            wrapping: mock, directory: directory, redactor: .none, headers: catalog.answerHeaders)
        let request = HTTPRequest(url: "https://api.example/a")
        _ = try await recording.send(request)
        let replayed = try await ReplayHTTPClient(directory: directory, redactor: .none).send(request)
        #expect(Set(replayed.headers.map(\.name)) == ["x-next", "x-left"])
    }

    @Test func failuresAndNotModifiedAreNotRecorded() async throws {
        let mock = HTTPClientMock()
        let recording = RecordingHTTPClient(wrapping: mock, directory: directory, redactor: .none)
        let request = HTTPRequest(url: "https://api.example/a")
        await #expect(throws: HTTPError.network("not configured")) { try await recording.send(request) }
        mock.set(.success(HTTPResponse(status: 304)))
        #expect(try await recording.send(request).status == 304)
        #expect(throws: FileError.self) { try Files.list(directory) }
    }

    /// An answer with status 304 is not recorded, because it could not be replayed without the cached body.
    @Test func recordedRequestsAreNotConditional() async throws {
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
        let recording = RecordingHTTPClient(wrapping: mock, directory: directory, redactor: .none)
        let known = [
            HTTPHeader("Accept", "a/b"), HTTPHeader("If-None-Match", "\"a\""), HTTPHeader("If-Modified-Since", "b"),
        ]
        let request = HTTPRequest(url: "https://api.example/a", headers: known)
        #expect(try await recording.send(request).status == 200)
        #expect(mock.requests.map(\.headers) == [[HTTPHeader("Accept", "a/b")]])
        #expect(try await ReplayHTTPClient(directory: directory, redactor: .none).send(request).status == 200)
    }

    @Test func unwritableCassetteFailsTheRequest() async throws {
        try Files.writeAtomically([], to: FilePath(folder.path + "/new"))
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
        let recording = RecordingHTTPClient(wrapping: mock, directory: directory, redactor: .none)
        await #expect(
            throws: HTTPError(.notRecorded("cannot create the folder \(directory): Not a directory"))
        ) { try await recording.send(HTTPRequest(url: "https://api.example/a")) }
    }

    @Test func missingFolderIsReported() async throws {
        let replay = ReplayHTTPClient(directory: directory, redactor: .none)
        let error = HTTPError.notReplayed("cannot read the folder \(directory): No such file or directory")
        await #expect(throws: error) { try await replay.send(HTTPRequest(url: "https://api.example/a")) }
    }

    @Test func invalidCassetteIsReportedWithItsPosition() async throws {
        try Files.createDirectory(directory)
        try Files.writeAtomically(Array("not a cassette".utf8), to: directory + "/README.md")
        try Files.writeAtomically(Array("{\n  \"request\": nope\n}".utf8), to: directory + "/broken.json")
        let replay = ReplayHTTPClient(directory: directory, redactor: .none)
        for _ in 0..<2 {
            await #expect(
                throws: HTTPError.notReplayed(
                    "cassette \(directory)/broken.json: expected 'null' at line 2, column 14")
            ) { try await replay.send(HTTPRequest(url: "https://api.example/a")) }
        }
    }

    @Test func duplicateCassettesAreRejected() async throws {
        let cassette = Cassette(
            request: CassetteRequest(method: .get, url: "https://api.example/a", bodySHA256: nil),
            response: HTTPResponse(status: 200))
        try Files.createDirectory(directory)
        try Files.writeAtomically(cassette.bytes, to: directory + "/a.json")
        try Files.writeAtomically(cassette.bytes, to: directory + "/b.json")
        let replay = ReplayHTTPClient(directory: directory, redactor: .none)
        await #expect(
            throws: HTTPError.notReplayed(
                "cassette \(directory)/b.json: the same request is in a.json; delete one of them")
        ) {
            try await replay.send(HTTPRequest(url: "https://api.example/a"))
        }
    }
}
