/// The work queue of an event loop, and the state of the loop's thread.
// Safe: `source` is set on the loop's thread under `condition`. Everything else is accessed under `condition` only.
// Exclusivity: for the same reason, and no call inside `condition` returns to the loop.
final class LoopCore: @unchecked Sendable {
    enum Entry {
        /// A job, which is a part of a Swift task. The entry keeps a reference to the job's event loop, so that the
        /// loop exists until the job has run.
        case job(UnownedJob, of: EventLoop)
        case actorJob(UnownedJob, of: EventLoop.Isolation)
        case call(@Sendable () -> Void)
    }

    private enum Waiting {
        case no
        case here
        case forSource
    }

    /// The number of milliseconds between a failed start of a thread and the next attempt.
    private static let pause = 1000

    /// The maximum capacity of a queue buffer that is reused, in entries. Larger buffers are freed.
    private static let maxKept = 1024

    private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let standIn: LoopCore?
    private let condition = ThreadCondition()
    @exclusivity(unchecked) private var arrived: [Entry] = []
    @exclusivity(unchecked) private var alarms = TimerQueue<@Sendable () -> Void>()
    @exclusivity(unchecked) private var lastID = 0
    @exclusivity(unchecked) private var waiting = Waiting.no
    @exclusivity(unchecked) private var source: (any EventSource)?
    @exclusivity(unchecked) private var thread: pthread_t?
    @exclusivity(unchecked) private var isStarted = false
    /// Whether another loop (`standIn`) runs the pending work, because this loop could not start a thread.
    @exclusivity(unchecked) private var isStoodIn = false
    @exclusivity(unchecked) private var hasEnded = false
    /// The earliest time for another attempt to start a thread, in milliseconds of the monotonic clock.
    @exclusivity(unchecked) private var nextAttempt = 0

    init(standIn: LoopCore?, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
        self.standIn = standIn
        self.start = start
    }

    var isReady: Bool {
        condition.locked {
            startThread(isUrgent: true)
            return isStarted
        }
    }

    var hasBegun: Bool { condition.locked { isStarted || isStoodIn || !arrived.isEmpty || nextAttempt > 0 } }

    var isCurrent: Bool { condition.locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    func add(_ entry: Entry) {
        let isAsleep = condition.locked {
            arrived.append(entry)
            return wakeThread()
        }
        // Signalling under the lock would wake the thread only to block it on the lock.
        if isAsleep { condition.signal() }
    }

    func attach(_ source: any EventSource) { condition.locked { self.source = source } }

    func detach(_ source: any EventSource) {
        condition.locked { if self.source === source { self.source = nil } }
    }

    func end() {
        condition.locked {
            hasEnded = true
            if isStarted, wakeThread() { condition.signal() }
        }
    }

    func nextID() -> Int {
        condition.locked {
            lastID += 1
            return lastID
        }
    }

    /// Makes the loop wake a sleeping task at the given time. Returns false if the task was already cancelled.
    func wake(_ id: Int, at time: Int, _ sleeper: @escaping @Sendable () -> Void) -> Bool {
        condition.locked {
            if Task.isCancelled { return false }
            // The loop's thread must be woken, because the new sleeper's time comes first.
            if alarms.add(.init(time: time, id: id, sleeper: sleeper)), wakeThread() { condition.signal() }
            return true
        }
    }

    func call(at time: Int, _ body: @escaping @Sendable () -> Void) {
        condition.locked {
            lastID += 1
            if alarms.add(.init(time: time, id: lastID, sleeper: body)), wakeThread() { condition.signal() }
        }
    }

    func endSleep(_ id: Int) { condition.locked { alarms.remove(id) }?.sleeper() }

    /// Wakes the loop's thread. Starts a thread if the loop has none. Must be called while `condition` is locked.
    ///
    /// - Returns: whether the caller must signal `condition`.
    // If no thread can be started, later work triggers another attempt.
    private func wakeThread() -> Bool {
        defer { waiting = .no }
        switch waiting {
        case .no: if !isStarted { startThread(isUrgent: false) }
        case .here: return true
        case .forSource: source?.wake()
        }
        return false
    }

    private func startThread(isUrgent: Bool) {
        guard !isStarted, !isStoodIn else { return }
        if isUrgent || nextAttempt <= Monotonic.milliseconds {
            isStarted = start { [self] in work() }
            if isStarted { return }
            nextAttempt = Monotonic.milliseconds + Self.pause
        }
        guard let standIn else { return }
        isStoodIn = true
        standIn.add(.call { [self] in workForNow() })
    }
}

extension LoopCore {
    private func work() {
        condition.locked { thread = pthread_self() }
        var entries: [Entry] = []
        while next(&entries) {
            for entry in entries { run(entry) }
            source?.turn()
        }
    }

    /// Runs this loop's pending work on the thread of another loop (`standIn`), because this loop could not start a
    /// thread.
    // Later work triggers another attempt to start a thread.
    private func workForNow() {
        while true {
            let entries = condition.locked {
                defer { arrived = [] }
                isStoodIn = !arrived.isEmpty
                return arrived
            }
            if entries.isEmpty { return }
            for entry in entries { run(entry) }
        }
    }

    private func run(_ entry: Entry) {
        switch entry {
        case .job(let job, let loop): job.runSynchronously(on: loop.asUnownedTaskExecutor())
        case .actorJob(let job, let isolation): isolation.run(job)
        case .call(let body): body()
        }
    }

    /// Moves the pending entries from the queue to `entries`. Waits if the queue is empty. Returns false after the loop
    /// has ended.
    ///
    /// - Parameter entries: gets the pending entries. The previous contents are removed.
    private func next(_ entries: inout [Entry]) -> Bool {
        // Must be done outside the lock, because the release of an entry may call the loop.
        entries.removeAll(keepingCapacity: entries.capacity <= Self.maxKept)
        condition.lock()
        defer { condition.unlock() }
        if arrived.isEmpty, !hasEnded { wait() }
        while alarms.first != nil, let sleeper = alarms.takeDue(at: Monotonic.milliseconds)?.sleeper {
            arrived.append(.call(sleeper))
        }
        swap(&entries, &arrived)
        return !(entries.isEmpty && hasEnded)
    }

    /// Waits for work or an event. Must be called while `condition` is locked; the wait releases the lock.
    private func wait() {
        guard let source, let maxWait = source.maxWait else {
            waiting = .here
            condition.wait(until: alarms.first)
            waiting = .no
            return
        }
        let left = alarms.first.map { max(0, $0 - Monotonic.milliseconds) } ?? .max
        waiting = .forSource
        condition.unlock()
        source.wait(milliseconds: min(left, maxWait))
        condition.lock()
        waiting = .no
    }
}
