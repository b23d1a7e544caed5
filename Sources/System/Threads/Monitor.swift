/// State that threads share under a lock, and wait on.
///
/// For threads only: a task must never wait here.
// Exclusivity: `state` is touched under `condition` alone, and no body calls back into the monitor.
package final class Monitor<State>: @unchecked Sendable {  // Safe: `state` is touched under `condition` alone.
    @exclusivity(unchecked) private var state: State
    private let condition = ThreadCondition()

    package init(_ state: sending State) { self.state = state }

    /// Changes the state.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result { condition.locked { body(&state) } }

    /// Changes the state and wakes who waits.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        condition.locked {
            defer { condition.broadcast() }
            return body(&state)
        }
    }

    /// Changes the state and wakes who waits if the change is of interest to them: waking costs a system call.
    package func changeIfOfInterest(_ body: (inout State) -> Bool) {
        condition.locked {
            if body(&state) { condition.broadcast() }
        }
    }

    /// Waits until the state is as wanted, then changes it.
    package func wait<Result>(until isReady: (State) -> Bool, then body: (inout State) -> Result) -> Result {
        condition.locked {
            // Each turn reads the state anew: no access to it may last over the wait, in which others change it.
            while !isReady(state) { condition.wait() }
            return body(&state)
        }
    }

    /// Waits until the state is as wanted, for so many seconds at most. Returns whether it is.
    package func wait(seconds: Double, until isReady: (State) -> Bool) -> Bool {
        condition.locked {
            if isReady(state) { return true }
            let deadline = Monotonic.milliseconds + Int((max(0, min(seconds, 1e9)) * 1000).rounded(.up))
            while !isReady(state) {
                if Monotonic.milliseconds >= deadline { return false }
                condition.wait(until: deadline)
            }
            return true
        }
    }
}

/// POSIX's mutex and condition, for threads that wait for work. What it guards is touched between `lock` and `unlock`
/// alone.
// Safe: a mutex and a condition may be used on any thread.
package final class ThreadCondition: @unchecked Sendable {
    // On the heap, because a mutex and a condition may not move; freed by `deinit`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Glibc)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #else
            pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    /// Calls `body` between `lock` and `unlock`.
    package func locked<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    /// Wakes one of those who wait.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all who wait.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits to be woken, which may happen for no reason, or until a moment of the monotonic clock in milliseconds.
    package func wait(until deadline: Int? = nil) {
        guard let deadline else {
            pthread_cond_wait(condition, mutex)
            return
        }
        #if canImport(Glibc)
            var time = timespec(tv_sec: deadline / 1000, tv_nsec: deadline % 1000 * 1_000_000)
            pthread_cond_timedwait(condition, mutex, &time)
        #else
            let left = max(0, deadline - Monotonic.milliseconds)
            var time = timespec(tv_sec: left / 1000, tv_nsec: left % 1000 * 1_000_000)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #endif
    }
}
