import System

/// Runs an actor's jobs one after the other on a thread of its own, so that waiting for a disk never holds one of the
/// few threads that all other tasks share. The thread starts with the first job and ends with the executor.
final class SerialThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    deinit { queue.end() }

    /// For tasks that mostly call the actor: what such a task does between its calls is done on the same thread, so that
    /// the calls cost no change of threads (SE-0417).
    var forTasks: any TaskExecutor { ThreadTaskExecutor(thread: self) }

    func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), for: self)
    }

    fileprivate func enqueue(_ job: UnownedJob, of tasks: ThreadTaskExecutor) {
        queue.append(job, for: self, of: tasks)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The thread of an actor for tasks that prefer it.
private final class ThreadTaskExecutor: TaskExecutor {
    private let thread: SerialThreadExecutor

    init(thread: SerialThreadExecutor) { self.thread = thread }

    func enqueue(_ job: consuming ExecutorJob) { thread.enqueue(UnownedJob(job), of: self) }
}

/// The jobs that wait, and the thread that runs them. Where the system has no thread to give, the tasks' pool runs what
/// waits, and the next job tries again.
private final class JobQueue: @unchecked Sendable {  // Safe: all state is read and written under `condition` only.
    /// A job holds its executor, so that it lives until the job has ended.
    private struct Entry {
        let job: UnownedJob
        let executor: SerialThreadExecutor
        /// For a task's job; nil for one of the actor's.
        let tasks: ThreadTaskExecutor?
    }

    private let condition = ThreadCondition()
    private var arrived: [Entry] = []
    /// Whether somebody runs the jobs, or will.
    private var isRunning = false
    private var hasEnded = false

    func append(_ job: UnownedJob, for executor: SerialThreadExecutor, of tasks: ThreadTaskExecutor? = nil) {
        condition.locked {
            arrived.append(Entry(job: job, executor: executor, tasks: tasks))
            if isRunning { return condition.signal() }
            isRunning = true
            if !Thread.start({ [self] in work(waits: true) }) { TaskPool.shared.run { [self] in work(waits: false) } }
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
            for entry in entries {
                if let tasks = entry.tasks {
                    entry.job.runSynchronously(on: tasks.asUnownedTaskExecutor())
                } else {
                    entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
                }
            }
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
