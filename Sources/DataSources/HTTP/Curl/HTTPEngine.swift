import CCurl
import System

/// The queue between tasks and the thread that owns libcurl's multi handle.
///
/// Tasks append commands; the thread takes them all at once. It is woken only when it sleeps, so that a busy thread
/// costs its callers no system call.
final class HTTPEngine: Sendable {
    enum Command: Sendable {
        case start(HTTPJob)
        case cancel(ObjectIdentifier)
        /// There may be room for bodies that wait for it.
        case lookForRoom
    }

    private struct State {
        var commands: [Command] = []
        /// Why no more jobs are taken; nil while they are.
        var refusal: HTTPError?
        var thread: Thread?
        var sleeper: Sleeper?
    }

    /// The thread's multi handle while the thread sleeps, or is about to.
    // Safe: `curl_multi_wakeup` may be called from any thread, and the state's lock keeps the handle alive meanwhile.
    struct Sleeper: @unchecked Sendable {
        let library: CurlLibrary
        let multi: UnsafeMutableRawPointer
    }

    private let state = Lock(State())
    let userAgent: String
    let environment: HTTPEnvironment
    let budget: BodyBudget
    let maxTransfers: Int

    init(userAgent: String, environment: HTTPEnvironment, budget: BodyBudget, maxTransfers: Int) {
        self.userAgent = userAgent
        self.environment = environment
        self.budget = budget
        self.maxTransfers = maxTransfers
        budget.follow { [weak self] in self?.tell(.lookForRoom) }
    }

    /// Takes a job; the first one starts the thread.
    func start(_ job: HTTPJob) {
        let refusal: HTTPError? = state.withLock { state in
            if let refusal = state.refusal { return refusal }
            if state.thread == nil { state.thread = Thread { [self] in run() } }
            guard state.thread != nil else { return .network(Thread.shortage).unsent }
            Self.append(.start(job), to: &state)
            return nil
        }
        if let refusal { job.finish(.failure(refusal)) }
    }

    /// Aborts a job. Nothing happens when it has ended, or has not come yet: then its own flag stops it.
    func cancel(_ id: ObjectIdentifier) { tell(.cancel(id)) }

    private func tell(_ command: Command) {
        state.withLock { state in
            if state.thread != nil, state.refusal == nil { Self.append(command, to: &state) }
        }
    }

    /// Ends the thread and waits for its end.
    func shutdown() {
        let thread = state.withLock { state in
            if state.refusal == nil { state.refusal = .cancelled }
            Self.wake(&state)
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }

    private static func append(_ command: Command, to state: inout State) {
        state.commands.append(command)
        wake(&state)
    }

    private static func wake(_ state: inout State) {
        guard let sleeper = state.sleeper else { return }
        state.sleeper = nil
        _ = larder_curl_multi_wakeup(sleeper.library.functions, sleeper.multi)
    }
}

/// The thread's side.
extension HTTPEngine {
    enum Turn: Sendable {
        case commands([Command])
        case sleep
        case stop([Command])
    }

    /// What to do next. After `.sleep` the thread counts as asleep until `awoke`.
    func nextTurn(_ sleeper: Sleeper) -> Turn {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            if state.refusal != nil { return .stop(commands) }
            if !commands.isEmpty { return .commands(commands) }
            state.sleeper = sleeper
            return .sleep
        }
    }

    /// The thread is awake: a wake-up would be of no use, and the multi handle may go.
    func awoke() { state.withLock { $0.sleeper = nil } }

    /// What the thread does: libcurl waits in system calls, which tasks must not.
    private func run() {
        do throws(HTTPError) {
            try HTTPEngineLoop(self, CurlLibrary.open()).run()
        } catch {
            giveUp(error)
        }
    }

    /// Fails the jobs that wait, and ends the thread; the next job starts another one.
    private func giveUp(_ error: HTTPError) {
        let (commands, thread) = state.withLock { state in
            defer { (state.commands, state.thread) = ([], nil) }
            return (state.commands, state.thread)
        }
        // Without it somebody waits for this thread's end already.
        thread?.detach()
        for case .start(let job) in commands { job.finish(.failure(error)) }
    }
}
