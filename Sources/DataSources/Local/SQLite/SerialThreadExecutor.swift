#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

/// The jobs that wait, and the thread that runs them.
///
/// Unchecked: all state is read and written under `mutex` only.
private final class JobQueue: @unchecked Sendable {
    /// A job holds its executor, so that it lives until the job has ended.
    private struct Entry {
        let job: UnownedJob
        let executor: SerialThreadExecutor
        /// For a task's job; nil for one of the actor's.
        let tasks: ThreadTaskExecutor?
    }

    // On the heap, because a mutex and a condition may not move; freed by `deinit`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var arrived: [Entry] = []
    private var isRunning = false
    private var hasEnded = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    func append(_ job: UnownedJob, for executor: SerialThreadExecutor, of tasks: ThreadTaskExecutor? = nil) {
        pthread_mutex_lock(mutex)
        arrived.append(Entry(job: job, executor: executor, tasks: tasks))
        // Where the system has no thread left, the job waits, and the next one tries again.
        if !isRunning { isRunning = startThread() }
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func end() {
        pthread_mutex_lock(mutex)
        hasEnded = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    private func startThread() -> Bool {
        // The new thread takes the reference over; if there is none, it is released below.
        let context = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Glibc)
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { JobQueue.run($0) }, context)
            if code == 0 { pthread_detach(thread) }
        #else
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { JobQueue.run($0) }, context)
            if let thread, code == 0 { pthread_detach(thread) }
        #endif
        // No thread came to take it.
        if code != 0 { Unmanaged<JobQueue>.fromOpaque(context).release() }
        return code == 0
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        // The reference that was handed over with the thread.
        let queue = Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue()
        // Signals are for the threads that wait for them.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        queue.work()
        return nil
    }

    private func work() {
        while let entries = next() {
            for entry in entries {
                if let tasks = entry.tasks {
                    entry.job.runSynchronously(on: tasks.asUnownedTaskExecutor())
                } else {
                    entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
                }
            }
        }
    }

    /// Waits for jobs; nil at the end.
    private func next() -> [Entry]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while arrived.isEmpty, !hasEnded { pthread_cond_wait(condition, mutex) }
        let entries = arrived
        arrived = []
        return entries.isEmpty ? nil : entries
    }
}
