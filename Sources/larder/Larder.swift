import Catalog
import DataSources
import JSON
import Protocol
import RPCServer
import System

enum Larder {
    /// Runs the command that the arguments describe, and returns the exit code.
    @_optimize(size)
    static func run(_ arguments: [Argument], environment: Environment) -> Int32 {
        var defaults = CommandOptions()
        // Commands report a missing secret only if a request needs it.
        defaults.process.warnsOfUnconfiguredAPIs = false
        var settingsError: StartupError?
        do throws(StartupError) {
            try SettingsFile(environment)?.apply(to: &defaults)
        } catch {
            settingsError = error
        }
        ErrorStream.useColour(ColourChoice(in: arguments) ?? defaults.people.colour, environment)
        do throws(UsageError) {
            let command = try CommandLineParser.parse(arguments, defaults: defaults)
            if let settingsError, command.usesSettings { return refuse(settingsError) }
            switch command {
            case .help: return show(HelpText.text(layout(environment)))
            case .topic(let name):
                return show(HelpTopic.find([name]).map { HelpText.text(of: $0, layout(environment)) } ?? "")
            case .show(let text): return show(text)
            case .version: return show(VersionText.text)
            case .complete(let words): return show(Completer.text(words, environment))
            case .serve(let options) where Greeting.isDue:
                return show(Greeting.text(options, environment, layout(environment)))
            case .serve(var options):
                options.process.warnsOfUnconfiguredAPIs = true
                options.process.warnsOfMissingFields = true
                return start(options, environment) { process, _ in Server.run(process) }
            case .call(let method, let words, var options):
                options.process.warnsOfMissingFields = true
                let isForFile = [.prefetch, .sync].contains { (command: TerminalCommand) in command.isMethod(method) }
                return call(method, try CallArguments.params(words), options, environment, isForFile: isForFile)
            case .people(let request, let options):
                let isForFile = [.prefetch, .sync].contains(request.command)
                var (request, options) = try lookedUp(request, options, environment)
                let terminal = Terminal(of: 1, colour: options.people.colour, environment)
                if options.people.format(isJSON: options.isJSON, isSingle: request.command == .get, terminal) == .table
                {
                    let loader = CatalogLoader(options: options.process, environment: environment)
                    options.people.useColumns(of: request.resource, in: loader.namesInUse)
                }
                return start(options, environment, isForFile: isForFile) {
                    TerminalRun(request, $0, $1, environment).run()
                }
            case .open(let request, let options):
                let (request, options) = try lookedUp(request, options, environment)
                return start(options, environment) { TerminalRun(request, $0, $1, environment).open() }
            case .watch(let request, let options):
                let (request, options) = try lookedUp(request, options, environment)
                return start(options, environment) { WatchRun(request, $0, $1, environment).run() }
            case .syncAll(let options):
                return start(options, environment, isForFile: true) { RepeatedSyncs($0, $1, environment).run() }
            case .sql(let request, let options) where request.isPrompt:
                guard SQLPrompt.isPossible else { throw SQLRequest.missingQuery }
                return start(options, environment) { SQLPrompt($0, $1, environment).run() }
            case .sql(let request, let options):
                return start(options, environment, isForFile: options.people.query.maxAge != nil) {
                    SQLRun(request, $0, $1, environment).run()
                }
            case .resources(let options): return resources(options, environment)
            case .resourceHelp(let name, let options): return try help(aboutResource: name, options, environment)
            case .add(let name, let source, let options): return add(name, source, options, environment)
            case .remove(let name):
                return show { () throws(StartupError) in
                    ErrorStream.show("larder: \(try RemoveCommand.run(name, environment))\n")
                    return ("", ExitCode.success)
                }
            case .catalogs(let options):
                return write(CatalogList.text(environment, view(options, environment)))
            case .check(let path?, _) where path == SettingsFile(environment)?.path:
                return show { () throws(StartupError) in
                    SettingsFile(environment)?.check(environment) ?? ("", ExitCode.success)
                }
            case .check(let path?, let options) where options.isFixed:
                return show { () throws(StartupError) in try CheckCommand.fix(path, options, environment) }
            case .check(let path, let options):
                return show { () throws(StartupError) in
                    let settings = path == nil ? SettingsFile(environment) : nil
                    if let settings { return try settings.checkWithCatalogs(options, environment) }
                    return try CheckCommand.run(path, options, environment)
                }
            case .catalog(let action, let words, let options):
                return show { () throws(StartupError) in try CatalogCommand.run(action, words, options, environment) }
            case .doctor(let options):
                return show { () throws(StartupError) in try DoctorCommand.run(options, environment) }
            case .mcpConfig(let given, let options):
                return show { () throws(StartupError) in
                    let config = try MCPCommand.config(given, options, environment)
                    ErrorStream.show("larder: \(config.note)\n")
                    return (config.text, ExitCode.success)
                }
            case .mcpBundle(let file, let given, let options):
                return show { () throws(StartupError) in
                    let note = try MCPBundle.write(to: file, given, options, environment)
                    ErrorStream.show("larder: \(note)\n")
                    return ("", ExitCode.success)
                }
            case .cache(let action, let resource, let options):
                return try cache(action, resource, options, environment)
            case .export(let file, let options):
                return start(options, environment) { ExportCommand(file, $0, $1, environment).run() }
            }
        } catch {
            ErrorStream.fail("larder: \(error.option?.message(environment) ?? error.message)\n")
            return ExitCode.usage
        }
    }

    /// Returns the layout of help text for stdout.
    private static func layout(_ environment: Environment) -> HelpLayout {
        HelpLayout(columns: Terminal(of: 1, environment).width)
    }

    /// Separates the catalog's name from the resource name of a request, such as `github/issue`. Returns the request
    /// without the catalog's name, and the options that select this catalog.
    ///
    /// - Throws: `UsageError` for an unknown catalog.
    private static func lookedUp(
        _ request: TerminalRequest, _ options: CommandOptions, _ environment: Environment
    ) throws(UsageError) -> (TerminalRequest, CommandOptions) {
        let found = try ResourceReference(request.resource, options, environment)
        var request = request
        (request.resource, request.prefix) = (found.resource, found.prefix)
        return (request, found.options)
    }

    /// Adds a catalog, and then shows its first list.
    private static func add(
        _ name: String, _ source: String, _ options: CommandOptions, _ environment: Environment
    ) -> Int32 {
        do throws(StartupError) {
            guard let found = try AddCommand(name, source, options, environment).run() else { return ExitCode.success }
            var shown = found.options
            (shown.people.limit, shown.people.isPaged) = (5, false)
            let request = try? TerminalRequest(.list, ["list", found.resource])
            let code = request.map { request in
                start(shown, environment) { TerminalRun(request, $0, $1, environment).run() }
            }
            let next = VisibleText.line(CommandHint.line("list \(found.resource)", [FilePath(name)]))
            ErrorStream.show("larder: next: \(next)\n")
            return code ?? ExitCode.success
        } catch {
            return refuse(error)
        }
    }

    /// Prints the resources of the catalog: a table on a terminal, JSON lines otherwise.
    private static func resources(_ options: CommandOptions, _ environment: Environment) -> Int32 {
        do throws(StartupError) {
            let catalog = try CatalogSource.all(nil, options, environment).catalog
            return write(ResourceList.text(catalog, options.catalogs, view(options, environment)))
        } catch {
            return refuse(error)
        }
    }

    /// Prints the help on a resource of the catalog.
    ///
    /// - Throws: `UsageError` if the catalog has no resource with this name.
    private static func help(
        aboutResource name: String, _ options: CommandOptions, _ environment: Environment
    ) throws(UsageError) -> Int32 {
        let found = try ResourceReference(name, options, environment)
        let (name, options) = (found.resource, found.options)
        let catalog: Catalog
        do throws(StartupError) {
            catalog = try CatalogSource.all(nil, options, environment).catalog
        } catch {
            return refuse(error)
        }
        guard let resource = catalog.resources.first(where: { $0.name == name }) else {
            throw UsageError(message: found.unknownSubject(known: catalog.resources.map(\.name)))
        }
        return show(
            ResourceHelp(resource: resource, catalogs: options.catalogs, layout: layout(environment)).text)
    }

    /// Returns the formatter for lists on stdout.
    static func view(_ options: CommandOptions, _ environment: Environment) -> TerminalView {
        let terminal = Terminal(of: 1, colour: options.people.colour, environment)
        return TerminalView(terminal, isSingle: false, options, SystemClock())
    }

    /// Prints the output of a command to stdout, or its error to stderr. Returns the exit code.
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
        for line in error.lines { ErrorStream.fail(line + "\n") }
        return error.exitCode
    }

    /// Prints text without escaping control characters. Returns the exit code.
    static func write(_ text: String) -> Int32 { write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) -> Int32 { exitCode(ofOutput: StandardStreams.write(bytes, to: 1)) }

    static func show(_ text: String) -> Int32 { exitCode(ofOutput: StandardStreams.show(text, on: 1)) }

    /// Returns the exit code after a write to stdout, and reports a failed write.
    ///
    /// - Parameter failure: the `errno` of the write; 0 if the write succeeded.
    private static func exitCode(ofOutput failure: Int32) -> Int32 {
        // EPIPE is not an error: the reading program, such as `head`, needs no more output.
        guard failure != 0, failure != EPIPE else { return ExitCode.success }
        ErrorStream.fail("larder: cannot write to stdout: \(String(cString: strerror(failure)))\n")
        return ExitCode.output
    }

    /// Sends one request. Prints the result that `amend` returns, or the text that `errorText` returns for an error.
    static func call(
        _ method: String, _ params: JSONValue, _ options: CommandOptions, _ environment: Environment,
        isForFile: Bool = false, amend: @escaping (JSONValue, Process) -> JSONValue = { result, _ in result },
        errorText: @escaping (CallFailure) -> String = { $0.error }
    ) -> Int32 {
        start(options, environment, isForFile: isForFile) { process, options in
            let drain = Duration.milliseconds(options.drain)
            let waiting = WaitingLine(method, terminal: { Terminal(of: 2, environment) })
            switch waiting.during({ CallCommand.run(method: method, params: params, process) }) {
            case .success(let answer):
                let result = amend(answer, process)
                let terminal = Terminal(of: 1, colour: options.people.colour, environment)
                let view = TerminalView(terminal, isSingle: true, options, process.clock)
                let format = options.people.format ?? (terminal.isTerminal ? .json : .jsonl)
                return (write(view.text(result, as: format)), drain)
            case .failure(let failure):
                StandardStreams.show(errorText(failure) + "\n", on: 2)
                return (ExitCode.failure, drain)
            }
        }
    }

    /// Creates the process, calls `body`, and then writes pending entries to the cache file.
    ///
    /// - Parameters:
    ///   - isForFile: whether the command fails if the cache file cannot be written. True for commands whose only
    ///     purpose is to change this file.
    ///   - body: runs the command. Returns the exit code, and the maximum time to wait for unfinished work at exit.
    static func start(
        _ options: CommandOptions, _ environment: Environment, isForFile: Bool = false,
        _ body: (Process, CommandOptions) -> (code: Int32, left: Duration)
    ) -> Int32 {
        Watchdog.admit()
        do throws(StartupError) {
            let process = try Container.process(options.process, environment: environment, loop: .shared)
            let (code, left) = body(process, options)
            Watchdog.arm(left)
            let loss = Blocking.value { await process.close(within: left) } ?? nil
            // Stops the child processes that work in flight has started, such as a command that prints a token.
            Program.Group.all.end()
            if let folder = options.record, !Files.exists(folder) {
                let reason = "no request was sent to an API; cachePolicy=remoteFirst sends one even if data is cached"
                ErrorStream.show("larder: --record: nothing was recorded: \(reason)\n")
            }
            guard let loss, isForFile, code == ExitCode.success else { return code }
            ErrorStream.fail("larder: not all changes were saved to the cache file: \(loss)\n")
            return ExitCode.failure
        } catch {
            return refuse(error)
        }
    }
}
