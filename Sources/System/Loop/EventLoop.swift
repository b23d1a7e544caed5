/// One thread that is the executor of whatever waits: tasks, actors, timers, and one source of events such as the
/// network's.
///
/// It is the executor of tasks, and `isolation` is that of actors: a function of a task that is no actor's must be seen
/// to run on no actor, or each call of another such function would be put at the end of the queue. What is enqueued
/// from the loop itself wakes nobody, so that tasks and actors of one loop call one another without a change of
/// threads. The thread starts with the first job, and ends with the loop.
public final class EventLoop: TaskExecutor, TimerContract {
    /// The process's loop.
    public static let shared = EventLoop()

    /// What actors of the loop have as their executor.
    public let isolation: Isolation

    private let core: LoopCore

    /// A loop of its own.
    ///
    /// - Parameters:
    ///   - name: what its thread is called.
    ///   - standIn: does what there is to be done, but for what sleeps, where the system has no thread to give; without
    ///     one that waits until there is a thread.
    public convenience init(_ name: StaticString = "larder-loop", standIn: EventLoop? = nil) {
        self.init(standIn: standIn) { Thread.start(name, $0) }
    }

    /// - Parameter start: starts a thread; returns whether there is one.
    init(standIn: EventLoop? = nil, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
        core = LoopCore(standIn: standIn?.core, start: start)
        isolation = Isolation(core)
        isolation.tasks = asUnownedTaskExecutor()
    }

    deinit { core.end() }

    /// Whether there is a thread, so that what is put in will be done. It tries to start one.
    public var isReady: Bool { core.isReady }

    /// Whether anything was ever put in.
    package var hasBegun: Bool { core.hasBegun }

    /// Whether this is the loop's own thread.
    package var isCurrent: Bool { core.isCurrent }

    /// Takes a job of a task.
    public func enqueue(_ job: consuming ExecutorJob) { core.add(.job(UnownedJob(job), of: self)) }

    /// Runs what is no task's job.
    package func run(_ body: @escaping @Sendable () -> Void) { core.add(.call(body)) }

    /// Milliseconds of the machine's monotonic clock.
    public var milliseconds: Int { Monotonic.milliseconds }

    /// Runs on the loop in so many milliseconds what is no task's job.
    public func run(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        core.call(at: Self.time(after: milliseconds), body)
    }

    /// Waits for the events of a source too, from now on; of one source at a time. To be called on the loop.
    package func attach(_ source: any EventSource) { core.attach(source) }

    /// Waits for that source no more. To be called on the loop.
    package func detach(_ source: any EventSource) { core.detach(source) }

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

    private static func time(after milliseconds: Int) -> Int {
        let time = Monotonic.milliseconds.addingReportingOverflow(max(0, milliseconds))
        return time.overflow ? .max : time.partialValue
    }

    /// The executor of the loop's actors.
    // Safe: `tasks` is set before anybody else has it. It is compared with the executor that a task prefers, which
    // keeps that alive.
    public final class Isolation: SerialExecutor, @unchecked Sendable {
        /// Without it a task that prefers the loop would be put at the end of the queue at each call within an actor.
        fileprivate(set) var tasks: UnownedTaskExecutor?
        private let core: LoopCore

        fileprivate init(_ core: LoopCore) { self.core = core }

        /// Takes a job of an actor.
        public func enqueue(_ job: consuming ExecutorJob) { core.add(.actorJob(UnownedJob(job), of: self)) }

        /// Whether this is the loop's thread, so that a task that is no actor's may do there what is an actor's.
        @available(macOS 26, *)
        public func isIsolatingCurrentContext() -> Bool? { core.isCurrent }

        func run(_ job: UnownedJob) {
            guard let tasks else { return job.runSynchronously(on: asUnownedSerialExecutor()) }
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: tasks)
        }
    }
}
