import DataSources
import System

/// Work that nobody waits for, until the process ends.
public final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [ChangeHub.Subject: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    /// None yet.
    public init() {}

    /// Does the work in a task of its own; not where there is work on the same subject, nor once the end has begun.
    func start(on subject: ChangeHub.Subject, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed, state.tasks[subject] == nil else { return }
            state.tasks[subject] = Task(executorPreference: EventLoop.shared) { [self] in
                await work()
                // It waits for the lock until the task is noted.
                self.state.withLock { $0.tasks[subject] = nil }
            }
        }
    }

    /// Waits for what is under way; where the caller is cancelled, so is the work. Nothing new begins.
    public func finish() async {
        state.withLock { $0.isClosed = true }
        await settle()
    }

    /// Waits for what is under way; where the caller is cancelled, so is the work.
    func settle() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        await withTaskCancellationHandler {
            for task in tasks { await task.value }
        } onCancel: {
            for task in tasks { task.cancel() }
        }
    }

    /// The same for so long at most; what is under way then is cancelled.
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
