import HTTP
import Mocks
import TestSupport
import Testing

@Suite(.limited) struct HTTPClientMockTests {
    @Test func mockFailsUntilAnAnswerIsSet() async throws {
        let mock = HTTPClientMock()
        let request = HTTPRequest(url: "https://api.example/a")
        await #expect(throws: HTTPError.network("not configured")) { try await mock.send(request) }
        mock.set(.success(HTTPResponse(status: 204)))
        #expect(try await mock.send(request).status == 204)
        #expect(mock.requests == [request, request])
    }

    @Test func mockDelaysAnswersUntilTheGateOpens() async throws {
        let mock = HTTPClientMock(.success(HTTPResponse(status: 200)))
        let gate = Gate()
        mock.hold(at: gate)
        let passing = Task { try await mock.send(HTTPRequest(url: "https://api.example/a")) }
        let leaving = Task { try await mock.send(HTTPRequest(url: "https://api.example/b")) }
        await mock.arrived(2)
        leaving.cancel()
        await #expect(throws: HTTPError.cancelled) { try await leaving.value }
        gate.open()
        #expect(try await passing.value.status == 200)
    }
}
