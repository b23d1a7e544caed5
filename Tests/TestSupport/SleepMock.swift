/// Stands in for waiting: who sleeps, sleeps until it is woken or cancelled, whatever the time.
public final class SleepMock: Sendable {
    private struct State {
        var begun: [Duration] = []
        var gates: [(duration: Duration, gate: Gate)] = []
    }

    private let state = Watched(State())

    /// Nobody sleeps yet.
    public init() {}

    /// Pass this as the way to wait.
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

    /// Waits until so many have begun to sleep for so long, in all.
    public func begun(_ count: Int, for duration: Duration) async {
        await state.wait { state in state.begun.count { $0 == duration } >= count }
    }

    /// Wakes all who sleep for so long.
    public func wake(from duration: Duration) {
        let woken = state.change { state in
            let woken = state.gates.filter { $0.duration == duration }
            state.gates.removeAll { $0.duration == duration }
            return woken
        }
        for sleeper in woken { sleeper.gate.open() }
    }
}
