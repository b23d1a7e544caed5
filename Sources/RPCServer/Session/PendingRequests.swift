import DataSources
import Protocol
import System

/// The requests in flight. No other type knows which requests await a reply.
final class PendingRequests: Sendable {
    private struct State {
        var requests: [Int: PendingRequest] = [:]
        var next = 0
    }

    private let state = Monitor(State())

    /// The number of requests without a reply.
    var unanswered: Int { state.withLock { state in state.requests.values.count { !$0.isAnswered } } }

    /// The number of requests in flight. Answered requests count until their task ends.
    var count: Int { state.withLock { $0.requests.count } }

    /// Adds a request. Returns the number with which `remove` removes it.
    func add(_ request: PendingRequest) -> Int {
        state.withLock { state in
            state.next += 1
            state.requests[state.next] = request
            return state.next
        }
    }

    /// Removes a request that was answered.
    func remove(_ number: Int) {
        state.change { $0.requests[number] = nil }
    }

    /// Returns the requests with an id, oldest first. A client may reuse an id.
    func requests(with id: RequestID) -> [PendingRequest] {
        state.withLock { state in
            state.requests.filter { $0.value.id == id }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The number of requests that were removed so far.
    var finished: Int { state.withLock { $0.next - $0.requests.count } }

    /// Blocks while `limit` or more requests are in flight, for at most `seconds`. Returns whether there is room.
    @discardableResult
    func waitForRoom(below limit: Int, seconds: Double = .infinity) -> Bool {
        state.wait(seconds: seconds) { $0.requests.count < limit }
    }

    /// Blocks until no request is in flight, for at most `seconds`. Returns whether none is.
    func drain(seconds: Double) -> Bool {
        state.wait(seconds: seconds) { $0.requests.isEmpty }
    }

    /// Stops the progress of requests whose dialect forbids it after the end of the input.
    func endProgressAfterInput() {
        let requests = state.withLock { Array($0.requests.values) }
        for request in requests where !request.rules.reportsAfterInput { request.endProgress() }
    }

    /// Answers every request in flight with an error and cancels its work.
    ///
    /// - Parameter sparesChanges: whether requests that change stored data continue.
    func cancelAll(with error: RPCError, sparesChanges: Bool = false) {
        // Newest first: a request that waits for an older one must not start because the older one is cancelled.
        let requests = state.withLock { state in
            state.requests.filter { !sparesChanges || !$0.value.isChange }.sorted { $0.key > $1.key }
        }
        for (_, request) in requests { request.cancel(with: error) }
    }
}

/// A request that awaits its reply. The first answer is sent, and later ones are ignored.
final class PendingRequest: Sendable {
    /// The id of the request; nil for a notification.
    let id: RequestID?
    /// Whether the work changes stored data. Such work is completed even if the client has exited.
    let isChange: Bool
    /// The rules of the request's dialect.
    let rules: RequestRules
    private let target: ReplyTarget
    private let progress: Progress?
    private let trace: Trace.Entry?
    private let state = Lock(State())

    private struct State {
        var isAnswered = false
        var isCancelled = false
        var task: Task<Void, Never>?
    }

    init(
        id: RequestID?, target: ReplyTarget, isChange: Bool = false, rules: RequestRules = RequestRules(),
        progress: Progress? = nil, trace: Trace.Entry? = nil
    ) {
        self.id = id
        self.isChange = isChange
        self.rules = rules
        self.target = target
        self.progress = progress
        self.trace = trace
    }

    /// Whether an answer was given.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Stops the progress notifications.
    func endProgress() { progress?.end() }

    /// Sets the task that does the work. Cancels the task if the request was already cancelled.
    func started(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Answers the request, unless it was answered before. Returns whether this answer was used.
    ///
    /// The answer is delivered under the lock. So a second caller knows on return that the first answer has reached the
    /// writer, and may exit once the writer has written everything.
    @discardableResult
    func answer(_ outcome: Result<any RPCResult, RPCError>) -> Bool {
        state.withLock { state in
            guard !state.isAnswered else { return false }
            state.isAnswered = true
            progress?.end()
            target.deliver(outcome, id: id)
            switch outcome {
            case .success: trace?.done()
            case .failure(let error): trace?.failed(error)
            }
            return true
        }
    }

    /// Cancels the work without a reply. A batch no longer waits for this request.
    func abandon() {
        let task = state.withLock { state in
            state.isCancelled = true
            if !state.isAnswered {
                state.isAnswered = true
                progress?.end()
                target.drop()
            }
            return state.task
        }
        task?.cancel()
    }

    /// Cancels the work, and replies with an error if no answer was given before.
    func cancel(with error: RPCError) {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        answer(.failure(error))
        task?.cancel()
    }
}
