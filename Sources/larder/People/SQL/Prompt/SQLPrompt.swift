import Catalog
import JSON
import RPCServer
import System

/// Runs `larder sql` without a query: reads statements from the terminal, and prints their rows.
final class SQLPrompt {
    /// The work that Ctrl-C interrupts.
    private enum Activity: Sendable {
        case reading
        case running(cancel: @Sendable () -> Void)
    }

    private static let greeting = "SQL over the cache. A query ends with ';'. '.help' shows help, Ctrl-D leaves.\n"
    private static let missingEditor =
        "larder: no line editing: the library libedit cannot be loaded; install the package libedit2 (Debian, Ubuntu)"
        + " or libedit (Fedora, Arch, Alpine)\n"

    private let process: Process
    private let options: CommandOptions
    private let environment: Environment
    private var history: PromptHistory?
    /// The lines of an unfinished statement, each with its line break.
    private var pending = ""
    /// The tables for completion; nil before the first completion.
    private var completion: SQLCompletion?

    init(_ process: Process, _ options: CommandOptions, _ environment: Environment) {
        (self.process, self.options, self.environment) = (process, options, environment)
        let state = options.isPersistent ? environment.stateDirectory : nil
        history = state.map { PromptHistory($0 + "/sql_history") }
    }

    /// Whether the standard streams let a user type statements and read the results.
    static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && Terminal.columns(of: 1) != nil }

    /// Runs statements until the user leaves. Returns the exit code, and the maximum time to wait for unfinished work
    /// at exit.
    func run() -> (code: Int32, left: Duration) {
        let canEdit = Terminal(of: 1, environment).canRedraw
        let input = PromptInput(canEdit: canEdit) { [unowned self] in suggestions($0) }
        if canEdit, !input.hasEditor { ErrorStream.show(Self.missingEditor) }
        ErrorStream.show(Self.greeting)
        for line in history?.lines ?? [] { input.remember(line) }
        let activity = Lock(Activity.reading)
        Signals.handleInterrupts { [interrupt = input.interrupt] in
            switch activity.withLock({ $0 }) {
            case .reading: interrupt()
            case .running(let cancel): cancel()
            }
        }
        while true {
            switch input.read(pending.isEmpty ? "sql> " : "...> ") {
            case .end:
                _ = TerminalOutput.write("\n")
                return (ExitCode.success, .milliseconds(options.drain))
            case .interrupted:
                pending = ""
                _ = TerminalOutput.write("\n")
            case .text(let line):
                if pending.isEmpty, let command = PromptCommand(line) {
                    if command == .quit { return (ExitCode.success, .milliseconds(options.drain)) }
                    remember(line, input)
                    run(command, activity)
                    continue
                }
                pending += line + "\n"
                runStatements(input, activity)
            }
        }
    }

    /// Runs the complete statements of the typed lines.
    private func runStatements(_ input: PromptInput, _ activity: Lock<Activity>) {
        while true {
            let scanner = SQLScanner(pending)
            if scanner.tokens.isEmpty, !scanner.isOpen { pending = "" }
            guard let end = scanner.end else { return }
            let statement = String(decoding: pending.utf8.prefix(end), as: UTF8.self)
            pending = String(decoding: pending.utf8.dropFirst(end), as: UTF8.self)
            if scanner.tokens.count == 1 { continue }
            for line in scanner.oneLine.map({ [$0] }) ?? statement.split(separator: "\n").map(String.init) {
                remember(line, input)
            }
            run(SQLRequest(statement), activity)
        }
    }

    private func run(_ request: SQLRequest, _ activity: Lock<Activity>) {
        let run = SQLRun(request, process, options, environment, isInPrompt: true)
        activity.withLock { $0 = .running(cancel: run.cancel) }
        _ = run.run()
        activity.withLock { $0 = .reading }
    }

    private func run(_ command: PromptCommand, _ activity: Lock<Activity>) {
        switch command {
        case .help: _ = TerminalOutput.write(PromptCommand.helpText)
        case .tables:
            run(SQLRequest("select name, rows, coverage, synced_at from larder_tables order by name"), activity)
        case .schema(nil): run(SQLRequest("select table_name, name, type, field from larder_columns"), activity)
        case .schema(let name?):
            let names = SQLTables(process, options.catalogs).names
            guard let table = names.first(where: { $0.lowercased() == name.lowercased() }) else {
                let near = Suggestion.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
                let message = "no such table: \(VisibleText.line(name, limit: 100))\(near)"
                ErrorStream.fail("larder: \(message)\n  .tables lists the tables\n")
                return
            }
            let statement = "select name, type, field from larder_columns where table_name = ?"
            run(SQLRequest(statement, params: [.string(table)]), activity)
        case .unknown(let line):
            let shown = VisibleText.line(line, limit: 100)
            ErrorStream.fail("larder: unknown command '\(shown)': .help lists the commands\n")
        case .quit: break
        }
    }

    /// Adds a line to the history, and to its file.
    private func remember(_ line: String, _ input: PromptInput) {
        do throws(FileError) {
            guard try history?.add(line) != false else { return }
        } catch {
            ErrorStream.show("larder: the history is not saved: \(error.message)\n")
            history = nil
        }
        input.remember(line)
    }

    private func suggestions(_ place: LineEditor.Place) -> [String] {
        let completion = self.completion ?? SQLCompletion(tables())
        self.completion = completion
        return completion.words(
            for: LineEditor.Place(before: pending + place.before, after: place.after, word: place.word))
    }

    private func tables() -> [SQLCompletion.Table] {
        var tables = [
            SQLCompletion.Table(name: "larder_tables", columns: ["name", "resource", "rows", "coverage", "synced_at"]),
            SQLCompletion.Table(name: "larder_columns", columns: ["table_name", "name", "type", "field"]),
        ]
        let query: JSONValue = ["sql": "select table_name, name from larder_columns", "maxRows": 100_000]
        for row in InProcessClient(process.serving).ask("cache/query", query).result?["rows"]?.elements ?? [] {
            let (table, column) = (row.elements.first?.string ?? "", row.elements.last?.string ?? "")
            if tables.last?.name != table { tables.append(SQLCompletion.Table(name: table, columns: [])) }
            tables[tables.count - 1].columns.append(column)
        }
        return tables
    }
}
