import DataSources
import JSON
import Protocol
import System

enum Larder {
    /// Does what the arguments ask for. Returns the exit code.
    static func run(_ arguments: [Argument], environment: Environment) -> Int32 {
        do throws(UsageError) {
            switch try CommandLineParser.parse(arguments) {
            case .help: return show(HelpText.text)
            case .show(let text): return show(text)
            case .version: return show(VersionText.text)
            case .complete(let words): return show(Completer.text(words, environment))
            case .serve(let options) where Greeting.isDue: return show(Greeting.text(options, environment))
            case .serve(let options): return start(options, environment, serve)
            case .call(let method, let words, let options):
                let isForFile = method.hasSuffix("/prefetch")
                return call(
                    method, try CallArguments.params(words), options, environment, isForFile: isForFile)
            case .people(let request, let options):
                let isForFile = request.command == .prefetch
                return start(options, environment, isForFile: isForFile) {
                    PeopleRun(request, $0, $1, environment).run()
                }
            case .check(let path, let options):
                return show { () throws(StartupError) in try CheckCommand.run(path, options, environment) }
            case .catalog(let action, let words, let options):
                return show { () throws(StartupError) in
                    try CatalogCommand.run(action, words, options, environment)
                }
            case .doctor(let options):
                return show { () throws(StartupError) in try DoctorCommand.run(options, environment) }
            case .mcpConfig(let given, let options):
                return show { () throws(StartupError) in
                    let config = try MCPCommand.config(given, options, environment)
                    StandardStreams.show("larder: \(config.note)\n", on: 2)
                    return (config.text, ExitCode.success)
                }
            case .cache(.path, let options): return showPath(Places(options, environment))
            case .cache(.stats, let options): return call("cache/stats", nil, options, environment)
            case .cache(.clear, let options):
                return call("cache/remove", nil, options, environment, isForFile: true)
            }
        } catch {
            StandardStreams.show("larder: \(error.message)\n", on: 2)
            return ExitCode.usage
        }
    }

    /// Prints the file's name. A pipe gets the name's bytes, which need not be UTF-8.
    private static func showPath(_ places: Places) -> Int32 {
        if let name = places.cache?.path.bytes {
            if isatty(1) == 1 { return show(VisibleText.line(String(decoding: name, as: UTF8.self)) + "\n") }
            return exitCode(ofOutput: StandardStreams.write(name + Array("\n".utf8), to: 1))
        }
        for fault in places.faults where fault.part == "persistence" {
            StandardStreams.show("larder: there is no cache file: \(fault.reason)\n", on: 2)
        }
        return ExitCode.failure
    }

    /// Shows what a command has to say.
    private static func show(_ make: () throws(StartupError) -> (text: String, code: Int32)) -> Int32 {
        do throws(StartupError) {
            let (text, code) = try make()
            let shown = show(text)
            return shown == ExitCode.success ? code : shown
        } catch {
            return refuse(error)
        }
    }

    private static func refuse(_ error: StartupError) -> Int32 {
        for line in error.lines { StandardStreams.show(line + "\n", on: 2) }
        return error.exitCode
    }

    private static func show(_ text: String) -> Int32 { exitCode(ofOutput: StandardStreams.show(text, on: 1)) }

    /// Returns the exit code for what a write to stdout returned, and reports a failure.
    private static func exitCode(ofOutput failure: Int32) -> Int32 {
        // Who has read enough closes the pipe.
        guard failure != 0, failure != EPIPE else { return ExitCode.success }
        StandardStreams.write("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n", to: 2)
        return ExitCode.output
    }

    /// Makes one request and shows its result, or its error.
    private static func call(
        _ method: String, _ params: JSONValue, _ options: Options, _ environment: Environment,
        isForFile: Bool = false
    ) -> Int32 {
        start(options, environment, isForFile: isForFile) { process, options in
            let drain = Double(options.drain) / 1000
            switch CallCommand.run(method: method, params: params, process) {
            case .success(let result): return (show(result + "\n"), drain)
            case .failure(let failure):
                StandardStreams.show(failure.error + "\n", on: 2)
                return (ExitCode.failure, drain)
            }
        }
    }

    /// Wires a process, lets it work, and brings what it kept to disk.
    ///
    /// - Parameters:
    ///   - isForFile: whether the work is for nothing but what the cache file has afterwards.
    ///   - body: the work. Returns the exit code, and how many seconds there are for what is still under way.
    private static func start(
        _ options: Options, _ environment: Environment, isForFile: Bool = false,
        _ body: (Process, Options) -> (code: Int32, left: Double)
    ) -> Int32 {
        Watchdog.admit()
        do throws(StartupError) {
            let process = try Container.process(options, environment: environment, loop: .shared)
            let (code, left) = body(process, options)
            Watchdog.arm(left)
            let loss = Blocking.value { await process.close(within: .seconds(left)) } ?? nil
            // What was still under way may have run another command.
            Program.Group.all.end()
            if let folder = options.record, !Files.exists(folder) {
                let reason = "no API was asked; cachePolicy=remoteFirst asks one also where something is kept"
                StandardStreams.write("larder: --record: nothing was recorded: \(reason)\n", to: 2)
            }
            guard let loss, isForFile, code == ExitCode.success else { return code }
            StandardStreams.show("larder: the cache file has not all of it: \(loss)\n", on: 2)
            return ExitCode.failure
        } catch {
            return refuse(error)
        }
    }

    private static func serve(_ process: Process, _ options: Options) -> (code: Int32, left: Double) {
        let drain = Double(options.drain) / 1000
        let output = StandardStreams.takeOutput()
        let interruption = Interruption()
        let writer = ReplyWriter(output, maxQueue: options.maxQueue) { interruption.raise() }
        let reload = CatalogReload(process, files: process.catalogFiles)
        Signals.install(onHangup: { EventLoop.watch.run { reload.load() } }) { _ in
            Watchdog.arm(drain)
            interruption.raise()
            writer.beginEnd()
        }
        // Not at once: what the first request needs comes before.
        EventLoop.shared.run(after: 1000) { reload.start() }
        if let level = process.sharedLevel?.entries {
            EventLoop.shared.run(after: 300) { Task(executorPreference: EventLoop.shared) { await level.start() } }
        }
        let session = Session(process.serving) { session, parent in
            let isWatched = ParentWatch.start(parent) {
                interruption.raise()
                // Nobody waits for the answers as long as `--drain` would: 5 s after the parent this is to be gone.
                EventLoop.watch.run(after: 2000) {
                    session.pending.cancelAll(with: RPCError(.requestCancelled, "the client is gone"))
                }
                // And where even the writer cannot end, because another process holds the pipe and does not read.
                EventLoop.watch.run(after: 3000) {
                    Program.Group.all.end()
                    _exit(ExitCode.success)
                }
            }
            if !isWatched { process.logger.log(.warning, "process \(parent) is not watched: \(Thread.shortage)") }
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

    /// The exit code of a session; what was lost of its replies is told.
    private static func exitCode(
        of ending: ServerLoop.Ending, _ writer: ReplyWriter, _ session: Session, _ logger: Logger
    ) -> Int32 {
        if let failure = writer.failure {
            logger.log(.error, "replies could not be written: \(String(cString: strerror(failure)))")
            return ExitCode.output
        }
        if ending.unread > 0 {
            logger.log(
                .error, "nobody has read \(ending.unread) bytes of replies within --drain: they are lost")
            // Who sends a signal need not read what is left.
            if !writer.isEnding { return ExitCode.output }
        }
        return session.lifecycle.isExiting ? session.lifecycle.exitCode : ExitCode.success
    }
}

/// Why the program does not start.
struct StartupError: Error, Equatable {
    /// One of sysexits.h.
    let exitCode: Int32
    /// What is printed on stderr.
    let lines: [String]
}

/// The exit codes (sysexits.h).
enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// EX_USAGE
    static let usage: Int32 = 64
    /// EX_IOERR: output that could not be written.
    static let output: Int32 = 74
    /// EX_TEMPFAIL: the end took too long, because something hangs.
    static let hung: Int32 = 75
    /// EX_CONFIG
    static let config: Int32 = 78
}
