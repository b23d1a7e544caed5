/// A replacement for sleeping. A task sleeps until the test wakes it or the task is cancelled.
public final class SleepMock: Sendable {
    private struct State {
        var begun: [Duration] = []
        var gates: [(duration: Duration, gate: Gate)] = []
    }

    private let state = Watched(State())

    public init() {}

    /// The function to pass to the code under test.
    public var sleep: @Sendable (Duration) async -> Void {
        { [self] duration in
            let gate = Gate()
            state.change { state in
                state.begun.append(duration)
                state.gates.append((duration, gate))
            }
            try? await gate.wait()
        }
    }

    /// Waits until `count` sleeps of the given duration have begun since the start of the test.
    public func begun(_ count: Int, for duration: Duration) async {
        await state.wait { state in state.begun.count { $0 == duration } >= count }
    }

    /// Wakes all tasks that sleep for the given duration.
    public func wake(from duration: Duration) {
        let woken = state.change { state in
            let woken = state.gates.filter { $0.duration == duration }
            state.gates.removeAll { $0.duration == duration }
            return woken
        }
        for sleeper in woken { sleeper.gate.open() }
    }
}
