import DataSources
import System

/// The tasks that run in the background, such as refreshes. No caller waits for them; only the exit of the process
/// does.
public final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [ChangeHub.Subject: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    public init() {}

    /// Starts work in a new task. Does nothing if work on the same subject is running, or after `finish` was called.
    func start(on subject: ChangeHub.Subject, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.tasks[subject] == nil else { return }
            state.tasks[subject] = Task(executorPreference: EventLoop.shared) { [self] in
                await work()
                // If the work ends early, this line waits for the lock until the task is registered.
                self.state.withLock { $0.tasks[subject] = nil }
            }
        }
    }

    /// Waits for the running work and refuses new work. If the caller is cancelled, the work is cancelled too.
    public func finish() async {
        state.withLock { $0.isClosed = true }
        await settle()
    }

    /// Waits for the running work. If the caller is cancelled, the work is cancelled too.
    func settle() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        await withTaskCancellationHandler {
            for task in tasks { await task.value }
        } onCancel: {
            for task in tasks { task.cancel() }
        }
    }

    /// Waits at most `limit` for the running work, then cancels it. Refuses new work.
    ///
    /// - Parameter sleep: waits for a duration. Tests replace it.
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
