import DataSources
import System

/// The tasks that run in the background, such as refreshes. The process waits for these tasks only when it exits.
public final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [ChangeHub.Subject: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    public init() {}

    /// Starts work on an entry in a new task. Does nothing if work on this entry is already running, or if `finish` was
    /// called before.
    func start(on subject: ChangeHub.Subject, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.tasks[subject] == nil else { return }
            state.tasks[subject] = Task(executorPreference: EventLoop.shared) { [self] in
                await work()
                // A very short task reaches this line early. It then waits for the lock until the task is registered.
                self.state.withLock { $0.tasks[subject] = nil }
            }
        }
    }

    /// Waits for the running work and rejects new work. Cancels the running work if the caller is cancelled.
    public func finish() async {
        state.withLock { $0.isClosed = true }
        await settle()
    }

    /// Waits for the running work. Cancels the running work if the caller is cancelled.
    func settle() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        await withTaskCancellationHandler {
            for task in tasks { await task.value }
        } onCancel: {
            for task in tasks { task.cancel() }
        }
    }

    /// Rejects new work, and waits at most `limit` for the running work. Then cancels the remaining work.
    ///
    /// - Parameter sleep: waits for a duration. Tests replace this function.
    public func finish(
        within limit: Duration,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await EventLoop.shared.sleep(for: $0) }
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.finish() }
            group.addTask { await sleep(limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
