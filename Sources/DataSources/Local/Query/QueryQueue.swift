import System

/// Gives the turn to one query at a time, in the order of the calls.
final class QueryQueue: Sendable {
    private struct State {
        var isTaken = false
        var number = 0
        var waiting: [(number: Int, continuation: UnsafeContinuation<Bool, Never>)] = []
    }

    private let state = Lock(State())
    private let onWait: @Sendable (Int) -> Void

    /// - Parameter onWait: called with the number of waiting queries after a query has started to wait.
    init(onWait: @escaping @Sendable (Int) -> Void) { self.onWait = onWait }

    /// Waits for the turn. Returns false if the task is cancelled before. After true, the caller must call `pass`.
    func take() async -> Bool {
        let number = state.withLock { state -> Int? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            state.number += 1
            return state.number
        }
        guard let number else { return true }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { wait($0, number) }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    /// Gives the turn to the next query.
    func pass() {
        let next = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func wait(_ continuation: UnsafeContinuation<Bool, Never>, _ number: Int) {
        let (result, count) = state.withLock { state -> (Bool?, Int) in
            if Task.isCancelled { return (false, 0) }
            guard state.isTaken else {
                state.isTaken = true
                return (true, 0)
            }
            state.waiting.append((number, continuation))
            return (nil, state.waiting.count)
        }
        if let result { continuation.resume(returning: result) } else { onWait(count) }
    }
}
