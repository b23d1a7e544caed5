import DataSources

/// A timer whose time passes only when a test says so, or, where it is told to, with each sleep.
public final class TimerMock: TimerContract {
    private struct State {
        var now = 1_000_000
        var nextID = 0
        var sleeps: [Int] = []
        var sleepers: [Int: (end: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
    }

    private let passesWithSleeps: Bool
    private let state = Watched(State())

    /// A timer that stands.
    ///
    /// - Parameter passesWithSleeps: a sleep ends at once, and so much later is it then.
    public init(passesWithSleeps: Bool = false) { self.passesWithSleeps = passesWithSleeps }

    /// The time now.
    public var milliseconds: Int { state.value.now }

    /// How long each sleep was to take, in the order of their beginning.
    public var sleeps: [Int] { state.value.sleeps }

    /// Lets time pass, and wakes whose time has come.
    public func advance(milliseconds: Int) {
        let woken = state.change { state in
            state.now += milliseconds
            let woken = state.sleepers.filter { $0.value.end <= state.now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.sorted { $0.end < $1.end }.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: true) }
    }

    /// Waits until so many sleep at the same time.
    public func sleeping(_ count: Int) async { await state.wait { $0.sleepers.count >= count } }

    /// Sleeps until the time has passed or the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(milliseconds: Int) async throws(CancellationError) {
        let id = state.change { state in
            state.nextID += 1
            return state.nextID
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { begin(id, milliseconds, $0) }
        } onCancel: {
            state.change { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    private func begin(_ id: Int, _ milliseconds: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let early: Bool? = state.change { state in
            state.sleeps.append(milliseconds)
            if Task.isCancelled { return false }
            if passesWithSleeps { state.now += milliseconds }
            if passesWithSleeps || milliseconds <= 0 { return true }
            state.sleepers[id] = (state.now + milliseconds, continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }
}
