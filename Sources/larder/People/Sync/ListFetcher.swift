import JSON
import RPCServer
import System

/// Sends requests that read whole lists, such as `RESOURCE/sync`. Shows their progress on stderr. A signal ends the
/// request in flight.
final class ListFetcher {
    private let process: Process
    private let client: InProcessClient
    private let isPersistent: Bool
    private let environment: Environment
    private let signal = Lock<Int32?>(nil)
    /// The time after which the command ends (`--for`); nil for no limit.
    private let maxTime: Milliseconds?
    private let isOverdue = Lock(false)
    /// The progress bar of the request in flight; nil before the first request.
    private let bar = Lock<ProgressBar?>(nil)

    init(_ process: Process, _ client: InProcessClient, _ options: CommandOptions, _ environment: Environment) {
        (self.process, self.client, self.environment) = (process, client, environment)
        (isPersistent, maxTime) = (options.isPersistent, options.people.syncing.maxTime)
    }

    /// Starts to handle SIGINT, SIGTERM, SIGHUP and the time limit of `--for`. A signal or the time limit erases the
    /// progress bar, and cancels the request in flight and all later requests.
    func interruptOnSignals() {
        let interrupt: @Sendable (Int32) -> Void = { [signal, bar, cancel = client.cancel] number in
            signal.withLock { $0 = number }
            bar.withLock { $0 }?.end()
            cancel()
        }
        Signals.install(onHangup: { interrupt(SIGHUP) }, onEnd: interrupt)
        guard let maxTime else { return }
        Task(executorPreference: EventLoop.shared) { [isOverdue, bar, cancel = client.cancel] in
            guard (try? await EventLoop.shared.sleep(milliseconds: maxTime)) != nil else { return }
            isOverdue.withLock { $0 = true }
            bar.withLock { $0 }?.end()
            cancel()
        }
    }

    /// Sends a request with a progress token, and shows the progress until the reply.
    ///
    /// - Parameter title: the text before the progress, such as the name of the resource.
    func ask(_ method: String, _ params: JSONObject, title: String) -> (result: JSONValue?, error: JSONValue?) {
        var params = params
        params["workDoneToken"] = 1
        let bar = ProgressBar(title, terminal: { [environment] in Terminal(of: 2, environment) })
        self.bar.withLock { $0 = bar }
        defer { bar.end() }
        return client.ask(method, .object(params)) { bar.show($0) }
    }

    /// Reports on stderr that a signal or `--for` has ended the command, and returns the exit code. Returns nil if the
    /// command was not interrupted.
    func interruption() -> Int32? {
        guard let number = signal.withLock({ $0 }) else {
            guard isOverdue.withLock({ $0 }) else { return nil }
            ErrorStream.show("larder: the time of --for is over; the next sync continues\n")
            return ExitCode.success
        }
        let isKept = isPersistent && !process.board.degraded.contains { $0.part == "persistence" }
        ErrorStream.show("larder: interrupted\(isKept ? "; the fetched pages are cached" : "")\n")
        // Shells report 128 plus the signal's number for a process that ended through a signal.
        return 128 + number
    }
}
