/// A thread that executes tasks, actors and timers, and waits for one source of events such as the network.
///
/// The loop itself is the executor of tasks, and `isolation` is the executor of actors. The thread starts with the
/// first job and ends with the loop.
// Tasks and actors of one loop call each other without a thread switch.
// The two executors are separate, because the functions of a task that belong to no actor must not run on an actor.
// Otherwise each call of such a function would move to the end of the queue.
public final class EventLoop: TaskExecutor, TimerContract {
    /// The main event loop of the process.
    public static let shared = EventLoop()

    /// The executor for actors that run on this loop.
    public let isolation: Isolation

    private let core: LoopCore

    /// Creates a loop with its own thread.
    ///
    /// - Parameters:
    ///   - name: the name of the thread.
    ///   - standIn: another loop that runs this loop's work while no thread can be started. It does not run timers. If
    ///     `standIn` is nil, the work waits for a thread.
    public convenience init(_ name: StaticString = "larder-loop", standIn: EventLoop? = nil) {
        self.init(standIn: standIn) { Thread.start(name, $0) }
    }

    /// Creates a loop whose thread is started by the function `start`.
    ///
    /// - Parameters:
    ///   - standIn: another loop that runs this loop's work while no thread can be started. It does not run timers.
    ///   - start: a function that starts a thread, and returns whether the thread was started.
    init(standIn: EventLoop? = nil, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
        core = LoopCore(standIn: standIn?.core, start: start)
        isolation = Isolation(core)
        isolation.tasks = asUnownedTaskExecutor()
    }

    deinit { core.end() }

    /// Whether the loop has a thread to run enqueued work. Reading this property tries to start a missing thread.
    public var isReady: Bool { core.isReady }

    /// Whether work was ever added to the loop.
    package var hasBegun: Bool { core.hasBegun }

    /// Whether the current thread is the loop's thread.
    package var isCurrent: Bool { core.isCurrent }

    /// Adds a task's job to the loop's queue (see `TaskExecutor`).
    public func enqueue(_ job: consuming ExecutorJob) { core.add(.job(UnownedJob(job), of: self)) }

    /// Runs a closure on the loop.
    package func run(_ body: @escaping @Sendable () -> Void) { core.add(.call(body)) }

    /// The time of the monotonic clock in milliseconds.
    public var milliseconds: Milliseconds { Monotonic.milliseconds }

    /// Runs a closure on the loop after a number of milliseconds.
    public func run(after milliseconds: Milliseconds, _ body: @escaping @Sendable () -> Void) {
        core.call(at: Self.time(after: milliseconds), body)
    }

    /// Attaches a source of events. The loop waits for these events in addition to its jobs. The new source replaces
    /// the previous source. Must be called on the loop.
    package func attach(_ source: any EventSource) { core.attach(source) }

    /// Stops waiting for the events of a source. Must be called on the loop.
    package func detach(_ source: any EventSource) { core.detach(source) }

    /// Suspends the current task for a duration without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        let parts = duration.components
        let milliseconds = parts.seconds.multipliedReportingOverflow(by: 1000)
        let whole = milliseconds.overflow ? Int64(Int32.max) * 1000 : milliseconds.partialValue
        try await sleep(milliseconds: Int(whole) + Int(parts.attoseconds / 1_000_000_000_000_000))
    }

    /// Suspends the current task for a number of milliseconds without blocking a thread.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(milliseconds: Milliseconds) async throws(CancellationError) {
        let id = core.nextID()
        let time = Self.time(after: milliseconds)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !core.wake(id, at: time, { continuation.resume() }) { continuation.resume() }
            }
        } onCancel: {
            core.endSleep(id)
        }
        if Task.isCancelled { throw CancellationError() }
    }

    private static func time(after milliseconds: Milliseconds) -> Int {
        let time = Monotonic.milliseconds.addingReportingOverflow(max(0, milliseconds))
        return time.overflow ? .max : time.partialValue
    }

    /// The executor for actors that run on the loop.
    // Safe: `tasks` is set before the executor is published. It is only compared with the executor that a task prefers,
    // and that task keeps its executor alive.
    public final class Isolation: SerialExecutor, @unchecked Sendable {
        /// The executor of the loop's tasks. The Swift runtime compares it with the executor that a task prefers.
        // Without this comparison, each call within an actor would move the calling task to the end of the queue.
        fileprivate(set) var tasks: UnownedTaskExecutor?
        private let core: LoopCore

        fileprivate init(_ core: LoopCore) { self.core = core }

        /// Adds a job of an actor to the loop's queue.
        public func enqueue(_ job: consuming ExecutorJob) { core.add(.actorJob(UnownedJob(job), of: self)) }

        /// Whether the current thread is the loop's thread. Only this thread may run the code of the loop's actors.
        @available(macOS 26, *)
        public func isIsolatingCurrentContext() -> Bool? { core.isCurrent }

        func run(_ job: UnownedJob) {
            guard let tasks else { return job.runSynchronously(on: asUnownedSerialExecutor()) }
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: tasks)
        }
    }
}
