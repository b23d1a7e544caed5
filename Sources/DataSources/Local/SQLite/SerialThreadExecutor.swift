import System

/// Runs an actor's jobs one after the other on a thread of its own, so that waiting for a disk never holds one of the
/// few threads that all other tasks share. The thread starts with the first job and ends with the executor.
final class SerialThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    deinit { queue.end() }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), for: self)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The jobs that wait, and the thread that runs them. Where the system has no thread to give, the loop runs what waits,
/// and the next job tries again.
private final class JobQueue: @unchecked Sendable {  // Safe: all state is read and written under `condition` only.
    /// A job holds its executor, so that it lives until the job has ended.
    private struct Entry {
        let job: UnownedJob
        let executor: SerialThreadExecutor
    }

    private let condition = ThreadCondition()
    private var arrived: [Entry] = []
    /// Whether somebody runs the jobs, or will.
    private var isRunning = false
    private var hasEnded = false

    func append(_ job: UnownedJob, for executor: SerialThreadExecutor) {
        condition.locked {
            arrived.append(Entry(job: job, executor: executor))
            if isRunning { return condition.signal() }
            isRunning = true
            if !Thread.start("larder-file", { [self] in work(waits: true) }) {
                EventLoop.shared.run { [self] in work(waits: false) }
            }
        }
    }

    func end() {
        condition.locked {
            hasEnded = true
            condition.signal()
        }
    }

    /// - Parameter waits: whether to wait for more when all is done.
    private func work(waits: Bool) {
        while let entries = next(waits: waits) {
            for entry in entries { entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor()) }
        }
    }

    /// The jobs that have come; nil at the end.
    private func next(waits: Bool) -> [Entry]? {
        condition.locked {
            while waits, arrived.isEmpty, !hasEnded { condition.wait() }
            let entries = arrived
            arrived = []
            if entries.isEmpty { isRunning = false }
            return entries.isEmpty ? nil : entries
        }
    }
}
