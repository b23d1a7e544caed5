import Synchronization

/// One HTTP exchange that was submitted to the engine, and the task that waits for its outcome.
// Safe: `continuation` is set before the engine receives the job, and is not changed afterwards.
final class HTTPJob: @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>

    let request: HTTPRequest
    /// The deadline of the exchange, as monotonic time in milliseconds.
    let deadline: Int
    // Safe: the engine calls `finish` once for each job. A checked continuation would allocate memory for each request.
    private var continuation: UnsafeContinuation<Outcome, Never>?
    /// Whether the task that waits for the exchange was cancelled. This may happen before the engine receives the
    /// exchange.
    private let flag = Atomic<Bool>(false)

    init(_ request: HTTPRequest, deadline: Int) {
        self.request = request
        self.deadline = deadline
    }

    /// An identifier that is unique among the exchanges of the engine.
    var id: ObjectIdentifier { ObjectIdentifier(self) }

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }

    /// Sets the continuation of the task that waits for the exchange.
    func begin(_ continuation: UnsafeContinuation<Outcome, Never>) { self.continuation = continuation }

    /// Resumes the waiting task with the outcome of the exchange. Must be called exactly once.
    func finish(_ outcome: Outcome) { continuation?.resume(returning: outcome) }
}
