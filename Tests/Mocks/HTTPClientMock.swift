import HTTP
import System
import TestSupport

/// An HTTP client with configured responses. It records all requests.
public final class HTTPClientMock: HTTPTransportContract {
    /// The function that returns the response to a request.
    public typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPError>

    private struct State {
        var answer: Answer
        var gate: Gate?
        var requests: [HTTPRequest] = []
        var deadlines: [Int] = []
    }

    private let state: Watched<State>

    /// Creates a client that returns `result` for every request.
    public convenience init(_ result: Result<HTTPResponse, HTTPError> = .failure(.network("not configured"))) {
        self.init { _ in result }
    }

    /// Creates a client that calls the closure for every request.
    public init(answer: @escaping Answer) { state = Watched(State(answer: answer)) }

    /// The requests in the order of arrival.
    public var requests: [HTTPRequest] { state.value.requests }

    /// The deadlines of the requests, in the order of arrival.
    public var deadlines: [Int] { state.value.deadlines }

    /// Sets the result of later requests.
    public func set(_ result: Result<HTTPResponse, HTTPError>) { set { _ in result } }

    /// Sets the closure that answers later requests.
    public func set(answer: @escaping Answer) { state.change { $0.answer = answer } }

    /// Delays later responses until the gate is open. nil removes the delay.
    public func hold(at gate: Gate?) { state.change { $0.gate = gate } }

    /// Waits until `count` requests have arrived in total.
    public func arrived(_ count: Int) async { await state.wait { $0.requests.count >= count } }

    /// Records the request, waits at the gate, and returns the result that was configured at the request's arrival.
    ///
    /// - Throws: the configured error; `.cancelled` if the task is cancelled.
    public func send(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled }
        let (answer, gate) = state.change { state in
            state.requests.append(request)
            state.deadlines.append(deadline)
            return (state.answer, state.gate)
        }
        do {
            try await gate?.wait()
        } catch {
            throw .cancelled
        }
        return try answer(request).get()
    }
}
