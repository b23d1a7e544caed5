import DataSources
import Protocol
import System

/// All requests whose reply is still to come: the one place that knows what is in flight.
final class PendingRequests: Sendable {
    private struct State {
        var requests: [Int: PendingRequest] = [:]
        var next = 0
    }

    private let state = Monitor(State())

    /// How many requests have no answer yet.
    var unanswered: Int { state.withLock { state in state.requests.values.count { !$0.isAnswered } } }

    /// How many requests are under way.
    var count: Int { state.withLock { $0.requests.count } }

    /// Notes a request. Returns the number under which it is to be removed.
    func add(_ request: PendingRequest) -> Int {
        state.withLock { state in
            state.next += 1
            state.requests[state.next] = request
            return state.next
        }
    }

    /// Forgets a request that was answered.
    func remove(_ number: Int) {
        state.change { $0.requests[number] = nil }
    }

    /// The requests with an id, oldest first; a client may use one for several.
    func requests(with id: RequestID) -> [PendingRequest] {
        state.withLock { state in
            state.requests.filter { $0.value.id == id }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// How many requests were under way and are no more.
    var finished: Int { state.withLock { $0.next - $0.requests.count } }

    /// Waits while so many requests are in flight or more, for so many seconds at most. Returns whether there is room.
    @discardableResult
    func waitForRoom(below limit: Int, seconds: Double = .infinity) -> Bool {
        state.wait(seconds: seconds) { $0.requests.count < limit }
    }

    /// Waits until nothing is in flight, for so many seconds at most. Returns whether that is so.
    func drain(seconds: Double) -> Bool {
        state.wait(seconds: seconds) { $0.requests.isEmpty }
    }

    /// Stops the progress of requests whose rules forbid it after the end of the input.
    func endProgressAfterInput() {
        let requests = state.withLock { Array($0.requests.values) }
        for request in requests where !request.rules.reportsAfterInput { request.endProgress() }
    }

    /// Answers everything in flight with an error and ends its work.
    ///
    /// - Parameter sparesChanges: whether to leave alone what changes something that is kept.
    func cancelAll(with error: RPCError, sparesChanges: Bool = false) {
        // The newest first: one that waits for an older one must not go on because that is cancelled.
        let requests = state.withLock { state in
            state.requests.filter { !sparesChanges || !$0.value.isChange }.sorted { $0.key > $1.key }
        }
        for (_, request) in requests { request.cancel(with: error) }
    }
}

/// A request whose reply is still to come. It is answered once, by whoever comes first.
final class PendingRequest: Sendable {
    /// The id to answer; nil for a notification.
    let id: RequestID?
    /// Whether its work changes what is kept: that is done though nobody may hear of it.
    let isChange: Bool
    /// The rules of the dialect in which the request came.
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

    /// Whether the answer is on its way, or there.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Nothing more is told of how far the work is.
    func endProgress() { progress?.end() }

    /// Says which task does the work. A request that was cancelled before cancels it.
    func started(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Answers with a result or an error; nothing happens if the request was answered before. Returns whether it was
    /// not.
    ///
    /// The answer is handed on under the lock: whoever comes second knows, when this returns, that it is on its way,
    /// and may end the process once the writer has written all.
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

    /// Ends the work without an answer; a batch that waits for one has one less.
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

    /// Ends the work, and answers with an error if there was no answer yet.
    func cancel(with error: RPCError) {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        answer(.failure(error))
        task?.cancel()
    }
}
