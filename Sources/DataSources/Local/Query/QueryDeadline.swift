import System

/// Calls a closure if a query has not ended at its deadline. Watches one query at a time.
// A query needs no timer of its own, because most queries end long before their deadline.
final class QueryDeadline: Sendable {
    private struct State {
        var deadline: Milliseconds?
        var expire: (@Sendable () -> Void)?
        /// The time of the next check; nil if none is planned.
        var check: Milliseconds?
    }

    private let state = Lock(State())
    private let timer: any TimerContract

    init(_ timer: any TimerContract) { self.timer = timer }

    /// Watches a query, in place of the query that was watched before.
    ///
    /// - Parameters:
    ///   - deadline: the time of the monotonic clock in milliseconds.
    ///   - expire: called at the deadline, unless the query was forgotten before.
    func watch(until deadline: Milliseconds, _ expire: @escaping @Sendable () -> Void) {
        let needsCheck = state.withLock { state in
            (state.deadline, state.expire) = (deadline, expire)
            if let check = state.check, check <= deadline { return false }
            state.check = deadline
            return true
        }
        if needsCheck { start(at: deadline) }
    }

    /// Moves the deadline of the watched query to an earlier time. Does nothing if no query is watched.
    func hasten(to deadline: Milliseconds) {
        let needsCheck = state.withLock { state in
            guard let known = state.deadline, deadline < known else { return false }
            state.deadline = deadline
            if let check = state.check, check <= deadline { return false }
            state.check = deadline
            return true
        }
        if needsCheck { start(at: deadline) }
    }

    /// Ends the watch: the query has ended.
    func forget() { state.withLock { ($0.deadline, $0.expire) = (nil, nil) } }

    private func start(at time: Milliseconds) {
        timer.run(after: max(0, time - timer.milliseconds)) { [weak self] in self?.check(at: time) }
    }

    /// Calls the closure of a query that has reached its deadline. Otherwise, plans the next check.
    private func check(at time: Milliseconds) {
        let (expire, next) = state.withLock { state -> ((@Sendable () -> Void)?, Milliseconds?) in
            if state.check == time { state.check = nil }
            guard let deadline = state.deadline else { return (nil, nil) }
            if deadline <= time {
                defer { (state.deadline, state.expire) = (nil, nil) }
                return (state.expire, nil)
            }
            if state.check != nil { return (nil, nil) }
            state.check = deadline
            return (nil, deadline)
        }
        if let next { start(at: next) }
        expire?()
    }
}
