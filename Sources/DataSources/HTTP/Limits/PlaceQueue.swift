import System

/// A number of places and a queue before them: who comes first goes in first.
final class PlaceQueue: Sendable {
    /// How a wait for a place ended.
    enum Entry: Sendable {
        /// With a place, which `leave` gives back.
        case entered
        /// The task was cancelled.
        case cancelled
        /// The deadline came.
        case late
    }

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Entry, Never>
        /// Ends the wait at the deadline.
        let expiry: Task<Void, Never>

        func end(_ entry: Entry) {
            expiry.cancel()
            continuation.resume(returning: entry)
        }
    }

    private struct State {
        /// Over 0 only while nobody waits.
        var free: Int
        var waiters: [Waiter] = []
        var nextID = 0

        mutating func take() -> Bool {
            if free > 0 {
                free -= 1
                return true
            }
            return false
        }
    }

    private let state: Lock<State>
    private let timer: any TimerContract

    init(places: Int, timer: any TimerContract) {
        state = Lock(State(free: max(1, places)))
        self.timer = timer
    }

    /// Waits for a place, until a deadline in the timer's milliseconds.
    func enter(before deadline: Int) async -> Entry {
        if state.withLock({ $0.take() }) { return .entered }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Entry? = state.withLock { state in
                    if state.take() { return .entered }
                    if Task.isCancelled { return .cancelled }
                    // It cannot end the wait before the wait has begun: that is under this lock.
                    let expiry = Task(executorPreference: EventLoop.shared) { [self] in await expire(id, deadline) }
                    state.waiters.append(Waiter(id: id, continuation: continuation, expiry: expiry))
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            end(id, .cancelled)
        }
    }

    /// Gives a place back: to who has waited longest, if anybody waits.
    func leave() {
        let next = state.withLock { state in
            if state.waiters.isEmpty {
                state.free += 1
                return nil as Waiter?
            }
            return state.waiters.removeFirst()
        }
        next?.end(.entered)
    }

    private func expire(_ id: Int, _ deadline: Int) async {
        do {
            try await timer.sleep(milliseconds: max(0, deadline - timer.milliseconds))
            end(id, .late)
        } catch {
            // The wait has ended otherwise.
        }
    }

    private func end(_ id: Int, _ entry: Entry) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.end(entry)
    }
}
