/// State that threads share under a lock, and wait on.
///
/// For threads only: a task must never wait here.
package final class Monitor<State>: @unchecked Sendable {  // Safe: `state` is touched under `mutex` alone.
    // `@exclusivity(unchecked)`: the mutex is what keeps others out.
    @exclusivity(unchecked) private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the state.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Changes the state and wakes who waits.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        withLock {
            let result = body(&$0)
            pthread_cond_broadcast(condition)
            return result
        }
    }

    /// Changes the state and wakes who waits if the change is of interest to them: waking costs a system call.
    package func changeIfOfInterest(_ body: (inout State) -> Bool) {
        withLock {
            if body(&$0) { pthread_cond_broadcast(condition) }
        }
    }

    /// Waits until the state is as wanted, then changes it.
    package func wait<Result>(until isReady: (State) -> Bool, then body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        // Each turn reads the state anew: no access to it may last over the wait, in which others change it.
        while !isReady(state) { pthread_cond_wait(condition, mutex) }
        return body(&state)
    }

    /// Waits until the state is as wanted, for so many seconds at most. Returns whether it is.
    package func wait(seconds: Double, until isReady: (State) -> Bool) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isReady(state) { return true }
        var deadline = Self.time(after: seconds)
        while !isReady(state) {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isReady(state) }
        }
        return true
    }

    private static func time(after seconds: Double) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = max(0, min(seconds, 1e9))
        let nanoseconds = Int(now.tv_nsec) + Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
