import DataSources
import Protocol
import System

/// Serves one client through stdin and stdout.
package enum Server {
    /// Serves requests until the input ends, a signal arrives or the client exits.
    ///
    /// - Returns: the exit code, and the remaining time for the final save.
    package static func run(_ process: Process) -> (code: Int32, left: Duration) {
        let options = process.options
        let drain = Duration.milliseconds(options.drain)
        let output = StandardStreams.takeOutput()
        let interruption = Interruption()
        let writer = ReplyWriter(output, maxQueue: options.maxQueue) { interruption.raise() }
        let reload = CatalogReload(process, files: process.catalogFiles)
        Signals.install(onHangup: { EventLoop.watch.run { reload.load() } }) { _ in
            Watchdog.arm(drain)
            interruption.raise()
            writer.beginEnd()
        }
        // The first check of the catalog's files happens after a second, so that the check does not delay the first
        // request.
        EventLoop.shared.run(after: 1000) { reload.start() }
        if let level = process.sharedLevel?.entries {
            EventLoop.shared.run(after: 300) { Task(executorPreference: EventLoop.shared) { await level.start() } }
        }
        let session = Session(process.serving) { session, parent in
            let isWatched = ParentWatch.start(parent) {
                interruption.raise()
                // The process exits within 5 s, even if `--drain` allows more time, because a client that has exited
                // needs no replies.
                EventLoop.watch.run(after: 2000) {
                    session.pending.cancelAll(
                        with: RPCError(.requestCancelled, "the request was cancelled: the client has exited"))
                }
                // The process must exit directly: the writer would block if another process holds the reply pipe open
                // without reading.
                EventLoop.watch.run(after: 3000) {
                    Program.Group.all.end()
                    _exit(ExitCode.success)
                }
            }
            if !isWatched {
                process.logger.log(
                    .warning,
                    "larder cannot detect the exit of the client process \(parent): \(Thread.shortage); if larder still"
                        + " runs after the client, end it")
            }
        }
        var limits = ServerLoop.Limits()
        limits.maxMessage = options.maxMessage
        limits.maxTasks += options.maxInFlight
        limits.drain = drain
        let ending = ServerLoop(
            input: 0, writer: writer, session: session, interruption: interruption, limits: limits,
            watchdog: Watchdog.arm
        ).run()
        return (exitCode(of: ending, writer, session, process.logger), ending.left)
    }

    /// Logs an error if replies were lost, and returns the exit code.
    private static func exitCode(
        of ending: ServerLoop.Ending, _ writer: ReplyWriter, _ session: Session, _ logger: Logger
    ) -> Int32 {
        if let failure = writer.failure {
            logger.log(.error, "cannot write replies to stdout: \(String(cString: strerror(failure)))")
            return ExitCode.output
        }
        if ending.unread > 0 {
            logger.log(
                .error,
                "\(ending.unread) bytes of replies are lost: the client did not read them in the time that --drain"
                    + " sets; raise --drain"
            )
            // After a termination signal, unsent replies are not an error.
            if !writer.isEnding { return ExitCode.output }
        }
        return session.lifecycle.isExiting ? session.lifecycle.exitCode : ExitCode.success
    }
}
