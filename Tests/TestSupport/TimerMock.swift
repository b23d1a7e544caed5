import System

/// A timer whose time passes only when a test advances it. A timer that passes with sleeps advances at each sleep, too.
public final class TimerMock: TimerContract {
    private struct State {
        var now = 1_000_000
        var nextID = 0
        var sleeps: [Int] = []
        var alarms: [Int] = []
        var sleepers: [Int: (end: Int, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var calls: [(end: Int, body: @Sendable () -> Void)] = []

        mutating func takeDueCalls() -> [(end: Int, body: @Sendable () -> Void)] {
            defer { calls.removeAll { $0.end <= now } }
            return calls.filter { $0.end <= now }.sorted { $0.end < $1.end }
        }
    }

    private let passesWithSleeps: Bool
    private let state = Watched(State())

    /// Creates a timer.
    ///
    /// - Parameter passesWithSleeps: whether sleeps and scheduled calls advance the time and end at once.
    public init(passesWithSleeps: Bool = false) { self.passesWithSleeps = passesWithSleeps }

    /// The current time.
    public var milliseconds: Int { state.value.now }

    /// The durations of all sleeps, in the order of their start.
    public var sleeps: [Int] { state.value.sleeps }

    /// The delays of all scheduled calls, in the order of scheduling.
    public var alarms: [Int] { state.value.alarms }

    /// Advances the time, ends the sleeps whose duration has passed, and makes the calls that are due.
    public func advance(milliseconds: Int) {
        let woken = state.change { state in
            state.now += milliseconds
            let woken = state.sleepers.filter { $0.value.end <= state.now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.sorted { $0.end < $1.end }.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: true) }
        callBack()
    }

    /// Waits until a call with the given delay has been scheduled.
    public func alarm(in milliseconds: Int) async { await state.wait { $0.alarms.contains(milliseconds) } }

    /// Waits until `count` sleeps have begun. Sleeps that have ended are counted, too.
    public func waitForSleeps(_ count: Int) async { await state.wait { $0.sleeps.count >= count } }

    /// Waits until `count` calls have been scheduled. Calls that were already made are counted, too.
    public func waitForAlarms(_ count: Int) async { await state.wait { $0.alarms.count >= count } }

    /// Waits until `count` tasks sleep at the same time.
    public func sleeping(_ count: Int) async { await state.wait { $0.sleepers.count >= count } }

    /// Sleeps until the time has passed or the task is cancelled.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
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

    /// Schedules a call after a delay.
    public func run(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        state.change { state in
            state.alarms.append(milliseconds)
            state.calls.append((state.now + milliseconds, body))
            if passesWithSleeps { state.now += milliseconds }
        }
        // Otherwise, `advance` makes the call before it returns.
        if passesWithSleeps || milliseconds <= 0 { callBack() }
    }

    /// Makes all calls that are due, including due calls that these calls schedule.
    private func callBack() {
        while case let due = state.change({ $0.takeDueCalls() }), !due.isEmpty {
            for call in due { call.body() }
        }
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
