/// State that threads share under a lock, and wait on.
///
/// For threads only: a task must never wait here.
package final class Monitor<State>: @unchecked Sendable {  // Safe: `state` is touched under `condition` alone.
    // `@exclusivity(unchecked)`: the condition's mutex is what keeps others out.
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
