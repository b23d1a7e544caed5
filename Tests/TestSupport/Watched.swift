import System

/// A value whose changes a test can wait for. Each change wakes the waiters whose condition is then true.
public final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isSo: @Sendable (Value) -> Bool
        let gate: Gate
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
    }

    private let state: Lock<State>

    public init(_ value: Value) { state = Lock(State(value: value)) }

    /// The current value.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value. Returns what `change` returns.
    @discardableResult
    public func change<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = change(&state.value)
            let woken = state.waiters.filter { $0.isSo(state.value) }
            if !woken.isEmpty { state.waiters.removeAll { waiter in woken.contains { $0.gate === waiter.gate } } }
            return (result, woken)
        }
        for waiter in woken { waiter.gate.open() }
        return result
    }

    /// Waits until the condition is true or the task is cancelled, for example by the test's time limit.
    public func wait(until isSo: @escaping @Sendable (Value) -> Bool) async {
        let gate = Gate()
        let isSoNow = state.withLock { state in
            if isSo(state.value) { return true }
            state.waiters.append(Waiter(isSo: isSo, gate: gate))
            return false
        }
        if !isSoNow { try? await gate.wait() }
    }
}
