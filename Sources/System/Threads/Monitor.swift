/// A lock around a value of type `State`. Threads can wait for changes of this value.
///
/// Only threads may use a monitor: a task must never wait on it.
// Exclusivity: `state` is accessed under `condition` only, and no body calls the monitor.
package final class Monitor<State>: @unchecked Sendable {  // Safe: `state` is accessed under `condition` only.
    @exclusivity(unchecked) private var state: State
    private let condition = ThreadCondition()

    package init(_ state: sending State) { self.state = state }

    /// Calls `body` with exclusive access to the state.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result { condition.locked { body(&state) } }

    /// Calls `body` with exclusive access to the state, and then wakes all waiting threads.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        condition.locked {
            defer { condition.broadcast() }
            return body(&state)
        }
    }

    /// Calls `body` with exclusive access to the state. Wakes all waiting threads only if `body` returns true.
    // Waking costs a system call.
    package func changeIfRelevant(_ body: (inout State) -> Bool) {
        condition.locked {
            if body(&state) { condition.broadcast() }
        }
    }

    /// Waits until `isReady` returns true for the state, then calls `body` with exclusive access to the state.
    package func wait<Result>(until isReady: (State) -> Bool, then body: (inout State) -> Result) -> Result {
        condition.locked {
            // Each iteration starts a new access to the state, because other threads change the state during the wait.
            while !isReady(state) { condition.wait() }
            return body(&state)
        }
    }

    /// Waits until `isReady` returns true for the state, or until the time `limit` has passed. Returns the last result
    /// of `isReady`.
    package func wait(upTo limit: Duration, until isReady: (State) -> Bool) -> Bool {
        condition.locked {
            if isReady(state) { return true }
            let deadline = Monotonic.milliseconds + limit.milliseconds
            while !isReady(state) {
                if Monotonic.milliseconds >= deadline { return false }
                condition.wait(until: deadline)
            }
            return true
        }
    }
}

/// A POSIX mutex with a condition variable, for threads that wait for work. Access the protected state only between
/// `lock` and `unlock`.
// Safe: a mutex and a condition variable may be used on any thread.
package final class ThreadCondition: @unchecked Sendable {
    // On the heap, because a mutex and a condition variable must not move. `deinit` frees them.
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

    /// Wakes one waiting thread.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// Waits until the thread is woken, which may also happen spuriously.
    ///
    /// - Parameter deadline: the time at which the wait ends, in milliseconds of the monotonic clock; nil to wait
    ///   without a limit.
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
