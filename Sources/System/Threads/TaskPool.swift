import CSystem
import Synchronization

/// The threads that tasks run on, and the clock that they sleep by: as many threads as there are processors, each
/// started when there is work for it, and kept.
///
/// Swift's own pool is not used. Where the system gives it no thread, or no descriptor for its timers, it waits on the
/// caller's thread, or ends the process; this one says so (`isReady`), and then works with the threads that it has.
public final class TaskPool: TaskExecutor, @unchecked Sendable {  // Safe: its state is touched under `condition` alone.
    /// The process's pool. Every task is made with it as its preference: `Task(executorPreference: TaskPool.shared)`.
    public static let shared = TaskPool(threads: processors)

    private enum Entry {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    /// How long no other thread is asked for after there was none to be had, in milliseconds.
    private static let pause = 1000

    private let maxThreads: Int
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let condition = ThreadCondition()
    private let hasThread = Atomic<Bool>(false)
    private var arrived: [Entry] = []
    /// The first to be taken stands last.
    private var next: [Entry] = []
    private var alarms = Alarms<CheckedContinuation<Void, Never>>()
    private var lastID = 0
    private var threads = 0
    /// Threads that wait and were not woken yet, and how many of those that wait were.
    private var idle = 0
    private var woken = 0
    /// When a thread may be asked for again.
    private var nextAttempt = 0

    /// - Parameter start: starts a thread; returns whether there is one.
    package init(
        threads: Int, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { Thread.start($0) }
    ) {
        maxThreads = max(1, threads)
        self.start = start
    }

    /// Whether there is a thread, so that what is put in will be done. It tries to start one.
    public var isReady: Bool {
        if hasThread.load(ordering: .acquiring) { return true }
        return condition.locked {
            if threads == 0 { startThread() }
            return threads > 0
        }
    }

    /// Takes a task's job.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs what is not a task's job.
    package func run(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    /// Waits so long, without a thread.
    ///
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        let parts = duration.components
        let milliseconds = parts.seconds.multipliedReportingOverflow(by: 1000)
        let whole = milliseconds.overflow ? Int64(Int32.max) * 1000 : milliseconds.partialValue
        try await sleep(milliseconds: Int(whole) + Int(parts.attoseconds / 1_000_000_000_000_000))
    }

    /// Waits so many milliseconds, without a thread.
    ///
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    public func sleep(milliseconds: Int) async throws(CancellationError) {
        let id = condition.locked {
            lastID += 1
            return lastID
        }
        let time = Monotonic.milliseconds.addingReportingOverflow(max(0, milliseconds))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !wake(continuation, id, at: time.overflow ? .max : time.partialValue) { continuation.resume() }
            }
        } onCancel: {
            condition.locked { alarms.remove(id) }?.sleeper.resume()
        }
        if Task.isCancelled { throw CancellationError() }
    }

    /// Returns false where the task was cancelled before.
    private func wake(_ sleeper: CheckedContinuation<Void, Never>, _ id: Int, at time: Int) -> Bool {
        condition.locked {
            if Task.isCancelled { return false }
            // Who waits has to know until when.
            if alarms.add(.init(time: time, id: id, sleeper: sleeper)) { condition.broadcast() }
            if threads == 0 { startThread() }
            return true
        }
    }

    private func add(_ entry: Entry) {
        condition.locked {
            arrived.append(entry)
            if idle > 0 {
                idle -= 1
                woken += 1
                condition.signal()
            } else if threads < maxThreads {
                startThread()
            }
        }
    }
}

/// The threads' side.
extension TaskPool {
    /// How many processors this process may use.
    private static var processors: Int {
        let allowed = Int(larder_processors())
        return allowed > 0 ? allowed : sysconf(Int32(_SC_NPROCESSORS_ONLN))
    }

    /// Where there is no thread to be had, those that there are do the work.
    private func startThread() {
        guard threads == 0 || nextAttempt <= Monotonic.milliseconds else { return }
        if start({ [self] in work() }) {
            threads += 1
            hasThread.store(true, ordering: .releasing)
        } else {
            nextAttempt = Monotonic.milliseconds + Self.pause
        }
    }

    private func work() -> Never {
        let executor = asUnownedTaskExecutor()
        while true {
            switch take() {
            case .job(let job): job.runSynchronously(on: executor)
            case .call(let body): body()
            }
        }
    }

    /// Waits for work.
    private func take() -> Entry {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if alarms.first != nil, let sleeper = alarms.takeDue(at: Monotonic.milliseconds)?.sleeper {
                return .call { sleeper.resume() }
            }
            if next.isEmpty, !arrived.isEmpty {
                next = arrived.reversed()
                arrived.removeAll(keepingCapacity: true)
            }
            if let entry = next.popLast() { return entry }
            idle += 1
            condition.wait(until: alarms.first)
            // It may also have been an alarm, or nothing at all.
            if woken > 0 { woken -= 1 } else { idle -= 1 }
        }
    }
}
