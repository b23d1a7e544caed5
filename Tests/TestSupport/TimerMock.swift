import System

/// A timer whose time passes only when a test says so, or, where it is told to, with each sleep.
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

    /// A timer that stands.
    ///
    /// - Parameter passesWithSleeps: a sleep ends at once, and so much later is it then; a call comes at once too.
    public init(passesWithSleeps: Bool = false) { self.passesWithSleeps = passesWithSleeps }

    /// The time now.
    public var milliseconds: Int { state.value.now }

    /// How long each sleep was to take, in the order of their beginning.
    public var sleeps: [Int] { state.value.sleeps }

    /// In how long each call was to come, in the order in which they were asked for.
    public var alarms: [Int] { state.value.alarms }

    /// Lets time pass, wakes whose time has come, and calls back.
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

    /// Waits until somebody has asked for a call in so many milliseconds.
    public func alarm(in milliseconds: Int) async { await state.wait { $0.alarms.contains(milliseconds) } }

    /// Waits until `count` sleeps have begun, among them those that have ended.
    public func waitForSleeps(_ count: Int) async { await state.wait { $0.sleeps.count >= count } }

    /// Waits until `count` calls have been asked for, among them those that were made.
    public func waitForAlarms(_ count: Int) async { await state.wait { $0.alarms.count >= count } }

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

    /// Calls back when the time has passed.
    public func run(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        state.change { state in
            state.alarms.append(milliseconds)
            state.calls.append((state.now + milliseconds, body))
            if passesWithSleeps { state.now += milliseconds }
        }
        // Else what is due is called back by whoever lets time pass, who has it done when that returns.
        if passesWithSleeps || milliseconds <= 0 { callBack() }
    }

    /// What is called may ask for more calls.
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
