import DataSources
import Protocol
import System

/// The requests in flight of one session. Only this type records which requests still need a reply.
final class PendingRequests: Sendable {
    private struct State {
        var requests: [Int: PendingRequest] = [:]
        var next = 0
    }

    private let state = Monitor(State())

    /// The number of requests that have not been answered yet.
    var unanswered: Int { state.withLock { state in state.requests.values.count { !$0.isAnswered } } }

    /// The number of requests in flight. This number includes answered requests whose tasks have not ended.
    var count: Int { state.withLock { $0.requests.count } }

    /// Adds a request. Returns the number that `remove` needs to find this request.
    func add(_ request: PendingRequest) -> Int {
        state.withLock { state in
            state.next += 1
            state.requests[state.next] = request
            return state.next
        }
    }

    /// Removes an answered request by the number that `add` returned.
    func remove(_ number: Int) {
        state.change { $0.requests[number] = nil }
    }

    /// Returns the requests with the given id, oldest first. A client may use an id for several requests.
    func requests(with id: RequestID) -> [PendingRequest] {
        state.withLock { state in
            state.requests.filter { $0.value.id == id }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The number of requests that `remove` has removed so far.
    var finished: Int { state.withLock { $0.next - $0.requests.count } }

    /// Blocks while at least `limit` requests are in flight, for at most `time`. Returns whether fewer than `limit`
    /// requests are in flight now.
    @discardableResult
    func waitForRoom(below limit: Int, upTo time: Duration = .unlimited) -> Bool {
        state.wait(upTo: time) { $0.requests.count < limit }
    }

    /// Blocks while any request is in flight, for at most `limit`. Returns whether all requests have finished.
    func drain(within limit: Duration) -> Bool {
        state.wait(upTo: limit) { $0.requests.isEmpty }
    }

    /// Stops progress notifications at the end of the input. Affects only the requests whose protocol forbids later
    /// notifications.
    func endProgressAfterInput() {
        let requests = state.withLock { Array($0.requests.values) }
        for request in requests where !request.rules.reportsAfterInput { request.endProgress() }
    }

    /// Answers the requests in flight with an error and cancels their work.
    ///
    /// - Parameter sparesChanges: whether requests that change stored data continue until they finish.
    func cancelAll(with error: RPCError, sparesChanges: Bool = false) {
        // The newest request is cancelled first. Otherwise, the end of an older request would start a newer request
        // that waits for it.
        let requests = state.withLock { state in
            state.requests.filter { !sparesChanges || !$0.value.isChange }.sorted { $0.key > $1.key }
        }
        for (_, request) in requests { request.cancel(with: error) }
    }
}

/// A request that awaits its reply. The first answer becomes the reply, and the request ignores later answers.
final class PendingRequest: Sendable {
    /// The id of the request; nil for a notification.
    let id: RequestID?
    /// Whether the request changes stored data. The server completes such a request even if the client has exited.
    let isChange: Bool
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

    /// Whether the request already has an answer.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Stops the progress notifications of the request.
    func endProgress() { progress?.end() }

    /// Records the task that does the work of the request. If the request is already cancelled, also cancels the task.
    func started(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Answers the request, unless it already has an answer. Returns whether this answer became the reply.
    ///
    /// If the method returns false, the earlier answer has already been passed to the client's output.
    @discardableResult
    func answer(_ outcome: Result<any RPCResult, RPCError>) -> Bool {
        state.withLock { state in
            guard !state.isAnswered else { return false }
            state.isAnswered = true
            progress?.end()
            target.deliver(outcome.mapError { rules.error($0) }, id: id)
            switch outcome {
            case .success: trace?.done()
            case .failure(let error): trace?.failed(error)
            }
            return true
        }
    }

    /// Cancels the work without a reply. If the request belongs to a batch, the batch no longer waits for a reply to
    /// the request.
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

    /// Cancels the work of the request. If the request has no answer yet, the error becomes the answer.
    func cancel(with error: RPCError) {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        answer(.failure(error))
        task?.cancel()
    }
}
