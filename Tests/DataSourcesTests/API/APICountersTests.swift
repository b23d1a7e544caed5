import DataSources
import HTTP
import Mocks
import Model
import TestSupport
import Testing

/// Tests the counters of an API's requests. `APIClientTests` covers retries.
@Suite(.limited) struct APICountersTests {
    @Test(
        arguments: [
            (.success(HTTPResponse(status: 200)), 0), (.success(HTTPResponse(status: 404)), 0),
            (.success(HTTPResponse(status: 499)), 0), (.success(HTTPResponse(status: 500)), 1),
            (.success(HTTPResponse(status: 503)), 1), (.failure(.network("reset")), 1), (.failure(.timeout(1)), 1),
        ] as [(Result<HTTPResponse, HTTPError>, Int)])
    func requestsAndFailuresAreCounted(result: Result<HTTPResponse, HTTPError>, failures: Int) async {
        let counters = RemoteCounters()
        let mock = HTTPClientMock(result)
        let client = APIClient(mock, counters: counters)
        let request = HTTPRequest(url: "https://a.test/")
        for _ in 0..<3 {
            let got: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) { got = .success(try await client.send(request)) } catch { got = .failure(error) }
            #expect(got == result)
        }
        #expect(mock.requests == [request, request, request])
        #expect(counters.statistics.requests == 3)
        #expect(counters.statistics.failures == 3 * failures)
    }

    @Test func status304IsCountedOnlyAfterAConditionalRequest() async throws {
        let counters = RemoteCounters()
        let client = APIClient(HTTPClientMock(.success(HTTPResponse(status: 304))), counters: counters)
        _ = try await client.send(HTTPRequest(url: "https://a.test/"))
        #expect(counters.statistics.notModified == 0)
        let known = [HTTPHeader("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")]
        _ = try await client.send(HTTPRequest(url: "https://a.test/", headers: known))
        #expect(counters.statistics.notModified == 1)
    }

    @Test func requestIsCountedWhileInFlight() async throws {
        let counters = RemoteCounters()
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
        let gate = Gate()
        mock.hold(at: gate)
        let client = APIClient(mock, counters: counters)
        let task = Task { try await client.send(HTTPRequest(url: "https://a.test/")) }
        await mock.arrived(1)
        #expect(counters.statistics.requests == 1)
        gate.open()
        _ = try await task.value
        #expect(counters.statistics.requests == 1)
    }
}
