import DataSources
import JSON
import Model
import RPCServer
import System

/// Runs `larder sql`: sends a statement to `cache/query`, and prints its rows.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class SQLRun {
    /// The minimum width of a table column on the terminal, in characters. It includes the gap between columns.
    private static let leastColumnWidth = 10

    private let request: SQLRequest
    private let process: Process
    private let options: CommandOptions
    private let environment: Environment
    private let terminal: Terminal
    private let client: InProcessClient
    private let waiting: WaitingLine
    private let tables: SQLTables
    private let writer: @Sendable (String) -> Int32
    /// Whether a prompt runs the statement. The prompt handles signals.
    private let isInPrompt: Bool
    private let isCancelled = Lock(false)

    init(
        _ request: SQLRequest, _ process: Process, _ options: CommandOptions, _ environment: Environment,
        isInPrompt: Bool = false,
        writer: @escaping @Sendable (String) -> Int32 = TerminalOutput.write
    ) {
        (self.request, self.process, self.options, self.writer) = (request, process, options, writer)
        (self.environment, self.isInPrompt) = (environment, isInPrompt)
        terminal = Terminal(of: 1, colour: options.people.colour, environment)
        client = InProcessClient(process.serving)
        tables = SQLTables(process, options.catalogs)
        waiting = WaitingLine("sql", activity: "running the query", terminal: { Terminal(of: 2, environment) })
    }

    /// A closure that cancels the statement. Any thread may call it.
    var cancel: @Sendable () -> Void {
        { [isCancelled, cancel = client.cancel] in
            isCancelled.withLock { $0 = true }
            cancel()
        }
    }

    /// Runs the statement. Returns the exit code, and the maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        do throws(SQLFailure) {
            let statement = try request.text()
            let format = options.people.format(isJSON: options.isJSON, isSingle: false, terminal)
            let maxRows = options.people.query.maxRows(in: format)
            var params = JSONObject([("sql", .string(statement)), ("maxRows", .integer(maxRows))])
            params["params"] = request.params
            options.people.query.add(to: &params)
            if let maxAge = options.people.query.maxAge {
                let fetcher = ListFetcher(process, client, options, environment)
                let sync = QuerySync(
                    client: client, fetcher: fetcher, tables: tables, maxAge: maxAge, endsOnSignals: !isInPrompt)
                if case .interrupted(let code) = try sync.run(statement, params) {
                    return (code, min(left, .seconds(1)))
                }
            }
            let result = SQLResult(try ask(statement, params))
            guard let file = options.people.query.into else { return (show(result), left) }
            try write(result, to: file)
            return (ExitCode.success, left)
        } catch {
            ErrorStream.fail(isCancelled.withLock { $0 } ? "larder: the query was cancelled\n" : error.lines)
            return (ExitCode.failure, left)
        }
    }

    private func ask(_ statement: String, _ params: JSONObject) throws(SQLFailure) -> JSONValue {
        let (result, error) = waiting.during { client.ask("cache/query", .object(params)) }
        guard let result else { throw SQLFailure(error, statement, tables) }
        return result
    }

    /// Writes the rows to a table of an SQLite file.
    private func write(_ result: SQLResult, to file: FilePath) throws(SQLFailure) {
        let table = options.people.query.intoTable ?? "result"
        do throws(LocalDataError) {
            if let refusal = ExportCommand.refusal(of: file, options, environment) { throw LocalDataError(refusal) }
            try ResultExport.write(
                result.columns, result.values, to: file, table: table, replaces: options.isForced)
        } catch {
            let isPresent = error == ResultExport.existingTable(table, in: file)
            throw SQLFailure(
                error.message, hint: isPresent ? "--force replaces it; --into-table NAME adds another table" : nil)
        }
        let coverage = CoverageText(tables: tables, now: process.clock.now())
        ErrorStream.show("larder: wrote \(file), table '\(table)': \(coverage.text(result))\n")
        for warning in coverage.warnings(result) { ErrorStream.show("larder: \(warning)\n") }
    }

    /// Prints the rows on stdout. Reports on stderr how many rows there are, and how complete and how old the tables
    /// are. Returns the exit code.
    private func show(_ result: SQLResult) -> Int32 {
        var options = options
        let format = options.people.format(isJSON: options.isJSON, isSingle: false, terminal)
        // If there are too many columns, a table shows only the most useful ones. Any other format shows all columns,
        // even if there are no rows.
        let hasRoom = result.columns.count * Self.leastColumnWidth <= terminal.width
        options.people.fields = hasRoom || format != .table ? result.columns : nil
        let view = TerminalView(terminal, isSingle: false, options, process.clock)
        var text = ItemsText(view, advice: "--output record")
        var output = TerminalOutput(writer: writer)
        guard output.write(text.text(result.rows) + text.end) else { return output.exitCode }
        let coverage = CoverageText(tables: tables, now: process.clock.now())
        if view.format.isForPeople {
            ErrorStream.show((text.notes + [coverage.text(result)]).map { $0 + "\n" }.joined())
        } else {
            if isatty(2) != 0 { ErrorStream.show("larder: \(coverage.text(result))\n") }
            for warning in coverage.warnings(result) { ErrorStream.show("larder: \(warning)\n") }
        }
        return output.exitCode
    }
}
