import HTTP
import System
import TestSupport

/// Stands in for an HTTP client: answers as told and keeps what it was asked.
public final class HTTPClientMock: HTTPTransportContract {
    /// How it answers.
    public typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPError>

    private struct State {
        var answer: Answer
        var gate: Gate?
        var requests: [HTTPRequest] = []
        var deadlines: [Int] = []
    }

    private let state: Watched<State>

    /// A client that answers every request with this result.
    public convenience init(_ result: Result<HTTPResponse, HTTPError> = .failure(.network("not configured"))) {
        self.init { _ in result }
    }

    /// A client that answers with what the closure gives.
    public init(answer: @escaping Answer) { state = Watched(State(answer: answer)) }

    /// The requests in the order of arrival.
    public var requests: [HTTPRequest] { state.value.requests }

    /// When each of them had to end.
    public var deadlines: [Int] { state.value.deadlines }

    /// Answers from now on with this result.
    public func set(_ result: Result<HTTPResponse, HTTPError>) { set { _ in result } }

    /// Answers from now on with what the closure gives.
    public func set(answer: @escaping Answer) { state.change { $0.answer = answer } }

    /// Holds every answer from now on until the gate is open; nil holds none.
    public func hold(at gate: Gate?) { state.change { $0.gate = gate } }

    /// Waits until this many requests have arrived in all.
    public func arrived(_ count: Int) async { await state.wait { $0.requests.count >= count } }

    /// Notes the request, waits at the gate if there is one, and answers as told at its arrival.
    ///
    /// - Throws: the configured error; `.cancelled` when the task is cancelled.
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
