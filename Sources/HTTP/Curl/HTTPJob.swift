import Synchronization

/// One exchange on its way through the engine, and the task that waits for it.
// Safe: `continuation` is set before the engine takes the job, and is not changed any more.
final class HTTPJob: @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>

    let request: HTTPRequest
    /// When the exchange must be over, on the monotonic clock in milliseconds.
    let deadline: Int
    private var continuation: CheckedContinuation<Outcome, Never>?
    /// The cancellation may come before the job has reached the engine.
    private let flag = Atomic<Bool>(false)

    init(_ request: HTTPRequest, deadline: Int) {
        self.request = request
        self.deadline = deadline
    }

    /// What tells this job from the others.
    var id: ObjectIdentifier { ObjectIdentifier(self) }

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }

    /// Says who waits.
    func begin(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = continuation }

    /// Wakes the waiting task. It is called once: on the loop, or by whom the engine did not take the job from.
    func finish(_ outcome: Outcome) { continuation?.resume(returning: outcome) }
}
