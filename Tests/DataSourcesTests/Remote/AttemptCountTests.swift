import DataSources
import HTTP
import Mocks
import Model
import Synchronization
import TestSupport
import Testing

/// Tests the number of attempts in errors and answers.
@Suite(.limited) struct AttemptCountTests {
    private func source(
        _ subject: RemoteSubject, _ response: HTTPResponse
    ) throws -> any RemoteDataSourceContract {
        var response = response
        response.attempts = 3
        return try subject.source(HTTPClientMock(.success(response)))
    }

    @Test(arguments: RemoteSubject.allCases)
    func answersContainTheNumberOfAttempts(subject: RemoteSubject) async throws {
        #expect(try await source(subject, .of(200, subject.itemBody(1))).item("1").attempts == 3)
        let items = try await source(subject, .of(200, subject.itemsBody([1, 2]))).items(["1", "2"])
        #expect(items.map(\.attempts) == [3, 3])
        let body = subject.pageBody([1], info: #"{"pages":1,"count":1}"#)
        let page = try await source(subject, .of(200, body)).page(PageRequest())
        #expect(page.attempts == 3)
        #expect(page.items.map(\.attempts) == [3])
        #expect(page.url == page.items.first?.url)
        let filtered = PageRequest(filters: [.init("name", "nobody")])
        let empty = try await source(subject, subject.nothingThere).page(filtered)
        #expect(empty.items.isEmpty)
        #expect(empty.attempts == 3)
        #expect(empty.url?.hasPrefix("https://rickandmortyapi.com/") == true)
    }

    @Test(arguments: RemoteSubject.allCases)
    func errorsContainTheNumberOfAttempts(subject: RemoteSubject) async throws {
        let responses: [HTTPResponse] = [
            .of(503, ""), .of(200, ""), .of(200, "<html>"), .of(200, "{}"), .of(404, "{}"), .of(418, "{}"),
            .of(200, #"{"data":{},"errors":[{"message":"no"}]}"#), .of(200, #"{"data":null}"#),
            .of(
                200, #"{"data":{"characters":{"results":[],"info":{"pages":"many"}}},"results":[],"info":{"pages":-1}}"#
            ),
        ]
        for response in responses {
            let source = try source(subject, response)
            #expect(await failure { () throws(APIError) in try await source.page(PageRequest()) }?.attempts == 3)
        }
        let item = try source(subject, .of(200, subject == .rest ? "null" : #"{"data":{"character":null}}"#))
        #expect(await failure { () throws(APIError) in try await item.item("1") }?.attempts == 3)
    }

    @Test(arguments: RemoteSubject.allCases, [0, 1, 4])
    func transportErrorsContainTheNumberOfAttempts(subject: RemoteSubject, attempts: Int) async throws {
        let source = try subject.source(HTTPClientMock(.failure(HTTPError(.timeout(1000), attempts: attempts))))
        #expect(await failure { () throws(APIError) in try await source.item("1") }?.attempts == attempts)
        #expect(await failure { () throws(APIError) in try await source.items(["1"]) }?.attempts == attempts)
    }

    /// Counts the attempts of answers and failures over real sockets.
    @Test(arguments: RemoteSubject.allCases)
    func attemptsAreCountedWithARealSocket(subject: RemoteSubject) async throws {
        let answers: [LoopbackResponse] = [
            .close, .normal(status: 503, headers: [HTTPHeader("Retry-After", "0")]),
            .truncated(announced: 100, body: [1]), .text(subject.itemBody(1)),
        ]
        let arrived = Atomic<Int>(0)
        let server = try LoopbackServer { _ in
            answers[min(arrived.add(1, ordering: .relaxed).oldValue, answers.count - 1)]
        }
        let counters = RemoteCounters()
        let client = APIClient(
            HTTPClient(version: "test"), retries: 3, counters: counters, random: RandomMock(0).number)
        let source = try subject.source(client, at: server.origin)
        #expect(try await source.item("1").attempts == 4)
        #expect(server.requests.count == 4)
        let counted = counters.statistics
        #expect((counted.requests, counted.retries, counted.failures) == (4, 3, 3))
    }
}
