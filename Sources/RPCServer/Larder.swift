#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import JSON
import Protocol

/// The program.
enum Larder {
    /// Does what the arguments ask for. Returns the exit code.
    static func run(_ arguments: [Argument], environment: Environment) -> Int32 {
        do throws(UsageError) {
            switch try CommandLineParser.parse(arguments) {
            case .help: return show(HelpText.text)
            case .version: return show("larder \(Version.current)\n")
            case .serve(let options): return start(options, environment, serve)
            case .call(let method, let words, let options):
                return call(method, try CallArguments.params(words), options, environment)
            case .cache(.path, let options): return showPath(Places(options, environment))
            case .cache(.stats, let options): return call("cache/stats", nil, options, environment)
            case .cache(.clear, let options): return call("cache/remove", nil, options, environment)
            }
        } catch {
            StandardStreams.write("larder: \(error.message)\n", to: 2)
            return ExitCode.usage
        }
    }

    /// The file's name as the system has it, whether it is UTF-8 or not.
    private static func showPath(_ places: Places) -> Int32 {
        if let cache = places.cache { return show(cache.path.bytes + Array("\n".utf8)) }
        for fault in places.faults where fault.part == "persistence" {
            StandardStreams.write("larder: there is no cache file: \(fault.reason)\n", to: 2)
        }
        return ExitCode.failure
    }

    private static func show(_ text: String) -> Int32 { show(Array(text.utf8)) }

    private static func show(_ bytes: [UInt8]) -> Int32 {
        StandardStreams.write(bytes, to: 1)
        return ExitCode.success
    }

    /// Makes one request and shows its result, or its error.
    private static func call(
        _ method: String, _ params: JSONValue, _ options: Options, _ environment: Environment
    ) -> Int32 {
        start(options, environment) { container, _ in
            switch CallCommand.run(method: method, params: params, container) {
            case .success(let result): return show(result + "\n")
            case .failure(let failure):
                StandardStreams.write(failure.error + "\n", to: 2)
                return ExitCode.failure
            }
        }
    }

    /// Wires a process, lets it work, and brings what it kept to disk.
    private static func start(
        _ options: Options, _ environment: Environment, _ body: (Container, Options) -> Int32
    ) -> Int32 {
        do throws(StartupError) {
            let container = try Container(options, environment: environment)
            let code = body(container, options)
            wait { await container.close() }
            return code
        } catch {
            for line in error.lines { StandardStreams.write(line + "\n", to: 2) }
            return error.exitCode
        }
    }

    private static func serve(_ container: Container, _ options: Options) -> Int32 {
        let output = StandardStreams.takeOutput()
        let interruption = Interruption()
        let writer = ReplyWriter(output, maxQueue: options.maxQueue) { interruption.raise() }
        Signals.install {
            interruption.raise()
            writer.beginEnd()
        }
        let watched = WatchedProcesses()
        let router = container.router { process in
            guard let process = Int32(exactly: process), watched.insert(process) else { return }
            ParentWatch.start(process) {
                interruption.raise()
                // Nobody waits for the answers as long as `--drain` would: 5 s after the parent this is to be gone.
                sleep(2)
                container.pending.cancelAll(with: RPCError(.requestCancelled, "the client is gone"))
                // And where even the writer cannot end, because another process holds the pipe and does not read.
                sleep(1)
                _exit(ExitCode.success)
            }
        }
        var limits = ServerLoop.Limits()
        limits.maxMessage = options.maxMessage
        limits.maxTasks += options.maxInFlight
        limits.drain = Double(options.drain) / 1000
        ServerLoop(
            input: 0, writer: writer,
            dispatcher: Dispatcher(
                router: router, pending: container.pending, lifecycle: container.lifecycle, trace: container.trace,
                executor: container.executor),
            interruption: interruption, limits: limits
        ).run()
        return container.lifecycle.isExiting ? container.lifecycle.exitCode : ExitCode.success
    }

    /// Waits on this thread, which is none of the tasks', until the work is done.
    private static func wait(_ work: @escaping @Sendable () async -> Void) {
        let isDone = Monitor(false)
        Task {
            await work()
            isDone.change { $0 = true }
        }
        isDone.wait(until: { $0 }, then: { _ in })
    }
}
