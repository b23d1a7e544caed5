import DataSources
import JSON
import Protocol
import RPCServer
import System

enum Larder {
    /// Runs the command in the arguments. Returns the exit code.
    static func run(_ arguments: [Argument], environment: Environment) -> Int32 {
        do throws(UsageError) {
            switch try CommandLineParser.parse(arguments) {
            case .help: return show(HelpText.text)
            case .show(let text): return show(text)
            case .version: return show(VersionText.text)
            case .complete(let words): return show(Completer.text(words, environment))
            case .serve(let options) where Greeting.isDue: return show(Greeting.text(options, environment))
            case .serve(let options): return start(options, environment) { process, _ in Server.run(process) }
            case .call(let method, let words, let options):
                let isForFile = TerminalCommand.prefetch.isMethod(method)
                return call(
                    method, try CallArguments.params(words), options, environment, isForFile: isForFile)
            case .people(let request, let options):
                let isForFile = request.command == .prefetch
                return start(options, environment, isForFile: isForFile) {
                    TerminalRun(request, $0, $1, environment).run()
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
            case .mcpBundle(let file, let given, let options):
                return show { () throws(StartupError) in
                    let note = try MCPBundle.write(to: file, given, options, environment)
                    StandardStreams.show("larder: \(note)\n", on: 2)
                    return ("", ExitCode.success)
                }
            case .cache(.path, let options): return showPath(Places(options.process, environment))
            case .cache(.stats, let options): return call("cache/stats", nil, options, environment)
            case .cache(.clear, let options):
                return call("cache/remove", nil, options, environment, isForFile: true)
            }
        } catch {
            StandardStreams.show("larder: \(error.message)\n", on: 2)
            return ExitCode.usage
        }
    }

    /// Prints the path of the cache file. A pipe gets the unchanged bytes of the path, which need not be UTF-8.
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

    /// Runs a command, and prints its output to stdout or its error to stderr. Returns the exit code.
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

    /// Returns the exit code for a write to stdout, and reports a failed write.
    ///
    /// - Parameter failure: the `errno` of the write; 0 if the write succeeded.
    private static func exitCode(ofOutput failure: Int32) -> Int32 {
        // EPIPE is not an error: the reading program, such as `head`, needs no more output.
        guard failure != 0, failure != EPIPE else { return ExitCode.success }
        StandardStreams.write("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n", to: 2)
        return ExitCode.output
    }

    /// Sends one request and prints its result or its error.
    private static func call(
        _ method: String, _ params: JSONValue, _ options: CommandOptions, _ environment: Environment,
        isForFile: Bool = false
    ) -> Int32 {
        start(options, environment, isForFile: isForFile) { process, options in
            let drain = Duration.milliseconds(options.drain)
            switch CallCommand.run(method: method, params: params, process) {
            case .success(let result): return (show(result + "\n"), drain)
            case .failure(let failure):
                StandardStreams.show(failure.error + "\n", on: 2)
                return (ExitCode.failure, drain)
            }
        }
    }

    /// Creates the process, calls `body`, and then writes pending entries to the cache file.
    ///
    /// - Parameters:
    ///   - isForFile: whether the command only changes the cache file. The command then fails if the file cannot be
    ///     written.
    ///   - body: the command. Returns the exit code, and the maximum time for work that is still in flight.
    private static func start(
        _ options: CommandOptions, _ environment: Environment, isForFile: Bool = false,
        _ body: (Process, CommandOptions) -> (code: Int32, left: Duration)
    ) -> Int32 {
        Watchdog.admit()
        do throws(StartupError) {
            let process = try Container.process(options.process, environment: environment, loop: .shared)
            let (code, left) = body(process, options)
            Watchdog.arm(left)
            let loss = Blocking.value { await process.close(within: left) } ?? nil
            // Work that is still in flight may have started child processes, such as a command that prints a token.
            Program.Group.all.end()
            if let folder = options.record, !Files.exists(folder) {
                let reason = "no request was sent to an API; cachePolicy=remoteFirst sends one even if data is cached"
                StandardStreams.write("larder: --record: nothing was recorded: \(reason)\n", to: 2)
            }
            guard let loss, isForFile, code == ExitCode.success else { return code }
            StandardStreams.show("larder: not all changes were saved to the cache file: \(loss)\n", on: 2)
            return ExitCode.failure
        } catch {
            return refuse(error)
        }
    }
}
