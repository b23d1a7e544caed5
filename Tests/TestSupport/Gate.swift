import System

/// A gate that blocks tasks and threads until it is opened. An open gate stays open.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var tasks: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextTask = 0
    }

    private let state = Lock(State())
    private let threads = Monitor(false)

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate for all waiting and future tasks and threads.
    public func open() {
        let tasks = state.withLock { state in
            state.isOpen = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        threads.change { $0 = true }
        for task in tasks { task.resume(returning: true) }
    }

    /// Waits until the gate is open or the task is cancelled.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait() async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextTask += 1
            return state.nextTask
        }
        let passed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    if Task.isCancelled { return false }
                    state.tasks[id] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.tasks.removeValue(forKey: id) }?.resume(returning: false)
        }
        if !passed { throw CancellationError() }
    }

    /// Blocks the calling thread until the gate is open. Tasks must call `wait()` instead.
    public func block() { threads.wait(until: { $0 }, then: { _ in }) }
}
