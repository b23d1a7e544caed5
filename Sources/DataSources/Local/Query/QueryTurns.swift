import System

/// Runs queries one after another on one `QueryEngine`.
///
/// SQLite checks the limits of a query only between its operations, and an operation on a large value can take seconds.
/// If a query does not end shortly after its time limit, or after its cancellation, its caller gets an answer anyway.
/// The engine is then abandoned, and the next query gets a new engine. An abandoned engine is closed as soon as its
/// query ends.
final class QueryTurns: Sendable {
    /// The time that a query has to end after its time limit or its cancellation, in milliseconds.
    private static let grace: Milliseconds = 50
    /// The maximum number of abandoned engines. If it is reached, no query can run.
    private static let maxAbandoned = 2

    private struct State {
        var engine: QueryEngine?
        var abandoned = 0
    }

    private let state = Lock(State())
    private let queue: QueryQueue
    private let deadline: QueryDeadline
    private let timer: any TimerContract
    private let make: @Sendable () -> QueryEngine
    private let onClose: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - onWait: called with the number of waiting queries after a query has started to wait.
    ///   - onClose: called with the number of abandoned engines after one of them was closed.
    ///   - make: creates an engine.
    init(
        timer: any TimerContract = EventLoop.shared, onWait: @escaping @Sendable (Int) -> Void = { _ in },
        onClose: @escaping @Sendable (Int) -> Void = { _ in }, _ make: @escaping @Sendable () -> QueryEngine
    ) {
        (self.timer, self.onClose, self.make) = (timer, onClose, make)
        queue = QueryQueue(onWait: onWait)
        deadline = QueryDeadline(timer)
    }

    /// Waits for the turn of a query, and runs the query.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of the query, which `body` enforces if it can.
    ///   - late: returns the result of a query that does not end, and cancels the query.
    /// - Returns: the result of `body` or `late`. The error is `cancelled` if the task is cancelled before its turn. It
    ///   is `blocked` if there are too many abandoned engines.
    func run<Value: Sendable>(
        within timeout: Milliseconds, late: @escaping @Sendable () -> Value,
        _ body: @escaping @Sendable (QueryEngine) async -> Value
    ) async -> Result<Value, QueryError> {
        guard await queue.take() else { return .failure(.cancelled) }
        guard let engine = engine() else {
            queue.pass()
            return .failure(.blocked)
        }
        return .success(
            await withTaskCancellationHandler {
                await withUnsafeContinuation { start($0, on: engine, within: timeout, late: late, body) }
            } onCancel: {
                deadline.hasten(to: timer.milliseconds + Self.grace)
            })
    }

    /// Closes the current engine, after the cancelled queries have ended or were abandoned.
    func close() async {
        deadline.hasten(to: timer.milliseconds + Self.grace)
        guard await queue.take() else { return }
        await state.withLock { $0.engine }?.close()
        queue.pass()
    }

    private func start<Value: Sendable>(
        _ continuation: UnsafeContinuation<Value, Never>, on engine: QueryEngine, within timeout: Milliseconds,
        late: @escaping @Sendable () -> Value, _ body: @escaping @Sendable (QueryEngine) async -> Value
    ) {
        let isAnswered = Lock(false)
        // Returns false if the query already has a result.
        let answer = { @Sendable (value: Value) -> Bool in
            let isFirst = isAnswered.withLock { isAnswered in
                defer { isAnswered = true }
                return !isAnswered
            }
            if isFirst { continuation.resume(returning: value) }
            return isFirst
        }
        deadline.watch(until: timer.milliseconds + timeout + Self.grace) { [self] in
            guard answer(late()) else { return }
            state.withLock { state in
                if state.engine === engine { state.engine = nil }
                state.abandoned += 1
            }
            queue.pass()
        }
        Task(executorPreference: EventLoop.shared) { [self] in
            let value = await body(engine)
            if answer(value) {
                deadline.forget()
                return queue.pass()
            }
            await engine.close()
            onClose(
                state.withLock { state in
                    state.abandoned -= 1
                    return state.abandoned
                })
        }
    }

    private func engine() -> QueryEngine? {
        state.withLock { state in
            if state.engine == nil, state.abandoned < Self.maxAbandoned { state.engine = make() }
            return state.engine
        }
    }
}
