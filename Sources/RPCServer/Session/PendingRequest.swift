import DataSources
import Protocol
import System

/// A request whose reply is still to come. It is answered once, by whoever comes first.
final class PendingRequest: Sendable {
    /// The id to answer; nil for a notification.
    let id: RequestID?
    /// Whether its work changes what is kept: that is done though nobody may hear of it.
    let isChange: Bool
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
        id: RequestID?, target: ReplyTarget, isChange: Bool = false, progress: Progress? = nil,
        trace: Trace.Entry? = nil
    ) {
        self.id = id
        self.isChange = isChange
        self.target = target
        self.progress = progress
        self.trace = trace
    }

    /// Whether the answer is on its way, or there.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

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
    /// The answer is handed on under the lock: whoever comes second knows, when this returns, that it is on its way, and may end
    /// the process once the writer has written all.
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
