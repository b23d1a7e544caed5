import Synchronization

/// One exchange on its way through the engine, and the task that waits for it.
final class HTTPJob: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>

    let request: HTTPRequest
    /// When the exchange must be over, on the monotonic clock in milliseconds.
    let deadline: Int
    private let continuation: CheckedContinuation<Outcome, Never>
    private let cancellation: HTTPCancellation

    init(
        _ request: HTTPRequest, deadline: Int, cancellation: HTTPCancellation,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.request = request
        self.deadline = deadline
        self.cancellation = cancellation
        self.continuation = continuation
    }

    /// What tells this job from the others.
    var id: ObjectIdentifier { ObjectIdentifier(cancellation) }

    var isCancelled: Bool { cancellation.isCancelled }

    /// Wakes the waiting task. It is called once: on the loop, or by whom the engine did not take the job from.
    func finish(_ outcome: Outcome) { continuation.resume(returning: outcome) }
}

/// The cancellation of one exchange: it may come before the exchange has reached the engine.
final class HTTPCancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }
}
