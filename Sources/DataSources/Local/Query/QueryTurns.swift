import System

/// Runs queries one after another on one `QueryEngine`.
///
/// SQLite checks the limits of a query only between its operations, and an operation on a large value can take seconds.
/// If a query does not end shortly after its time limit, its caller gets an answer anyway. The engine is then abandoned,
/// and the next query gets a new engine. An abandoned engine is closed as soon as its query ends.
final class QueryTurns: Sendable {
    /// The time between the time limit of a query and the answer if the query does not end, in milliseconds.
    private static let grace: Milliseconds = 50
    /// The maximum number of abandoned engines. If it is reached, no query can run.
    private static let maxAbandoned = 2

    /// The numbers of queries that wait for their turn, and of abandoned engines.
    struct Counts: Equatable {
        var waiting = 0
        var abandoned = 0
    }

    private struct State {
        var engine: QueryEngine?
        var abandoned = 0
        /// Whether a query has the turn.
        var isTaken = false
        /// The queries that wait for their turn, in order.
        var waiting: [UnsafeContinuation<Void, Never>] = []

        var counts: Counts { Counts(waiting: waiting.count, abandoned: abandoned) }
    }

    private let state = Lock(State())
    private let deadline: QueryDeadline
    private let timer: any TimerContract
    private let make: @Sendable () -> QueryEngine
    private let onChange: @Sendable (Counts) -> Void

    /// - Parameters:
    ///   - onChange: called after a query has started to wait, and after an abandoned engine was closed.
    ///   - make: creates an engine.
    init(
        timer: any TimerContract = EventLoop.shared, onChange: @escaping @Sendable (Counts) -> Void = { _ in },
        _ make: @escaping @Sendable () -> QueryEngine
    ) {
        (self.timer, self.onChange, self.make) = (timer, onChange, make)
        deadline = QueryDeadline(timer)
    }

    /// Waits for the turn of a query, and runs the query.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of the query, which `body` enforces if it can.
    ///   - late: returns the result if the query does not end shortly after its time limit, and cancels the query.
    /// - Returns: the result of `body`, or `late`. Nil if there are too many abandoned engines.
    func run<Value: Sendable>(
        within timeout: Milliseconds, late: @escaping @Sendable () -> Value,
        _ body: @escaping @Sendable (QueryEngine) async -> Value
    ) async -> Value? {
        await take()
        guard let engine = engine() else {
            pass()
            return nil
        }
        return await withUnsafeContinuation { continuation in
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
                abandon(engine)
                pass()
            }
            Task(executorPreference: EventLoop.shared) { [self] in
                let value = await body(engine)
                if answer(value) {
                    deadline.forget()
                    pass()
                } else {
                    await engine.close()
                    onChange(
                        state.withLock { state in
                            state.abandoned -= 1
                            return state.counts
                        })
                }
            }
        }
    }

    /// Closes the current engine.
    func close() async { await state.withLock { $0.engine }?.close() }

    private func take() async {
        if takeAtOnce() { return }
        await withUnsafeContinuation { continuation in
            let counts = state.withLock { state -> Counts? in
                guard state.isTaken else {
                    state.isTaken = true
                    return nil
                }
                state.waiting.append(continuation)
                return state.counts
            }
            if let counts { onChange(counts) } else { continuation.resume() }
        }
    }

    private func takeAtOnce() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    private func pass() {
        let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    private func engine() -> QueryEngine? {
        state.withLock { state in
            if state.engine == nil, state.abandoned < Self.maxAbandoned { state.engine = make() }
            return state.engine
        }
    }

    private func abandon(_ engine: QueryEngine) {
        state.withLock { state in
            if state.engine === engine { state.engine = nil }
            state.abandoned += 1
        }
    }
}
