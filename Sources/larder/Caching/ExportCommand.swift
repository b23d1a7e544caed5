import DataSources
import Model
import RPCServer
import System

/// `larder cache export`: writes the tables that `larder sql` can read to an SQLite file.
final class ExportCommand {
    private let file: FilePath
    private let process: Process
    private let options: CommandOptions
    private let environment: Environment

    init(_ file: FilePath, _ process: Process, _ options: CommandOptions, _ environment: Environment) {
        (self.file, self.process, self.options, self.environment) = (
            file, process, options, environment
        )
    }

    /// Returns an error message if the file is the cache file, which must not be overwritten. Nil for any other file.
    static func refusal(of file: FilePath, _ options: CommandOptions, _ environment: Environment)
        -> String?
    {
        guard let cache = Places(options.process, environment).cache?.path else { return nil }
        // A hard link is another path to the same file.
        let isLink = FileIdentity(path: file).map { $0 == FileIdentity(path: cache) } ?? false
        guard isLink || Files.resolved(cache) == Files.resolved(file) else { return nil }
        return "\(file) is the cache file; name another file"
    }

    /// Exports the cache to the file. Returns the exit code, and the maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        if let refusal = Self.refusal(of: file, options, environment) { return (fail(refusal), left) }
        if Files.exists(file), !options.isForced {
            return (fail("\(file) exists: use --force to replace it, or name another file"), left)
        }
        guard let queries = process.serving.current.queries, EventLoop.shared.isReady else {
            return (fail("the tables cannot be read"), left)
        }
        let work = Task(executorPreference: EventLoop.shared) { [file] in
            do throws(QueryError) {
                return Result<[QueryTableReport], QueryError>.success(try await queries.export(to: file))
            } catch {
                return .failure(error)
            }
        }
        let signal = Lock<Int32?>(nil)
        let interrupt: @Sendable (Int32) -> Void = { number in
            signal.withLock { $0 = number }
            work.cancel()
        }
        Signals.install(onHangup: { interrupt(SIGHUP) }, onEnd: interrupt)
        let waiting = WaitingLine(
            "export", activity: "writing the file", terminal: { [environment] in Terminal(of: 2, environment) })
        switch waiting.during({ Blocking.value { await work.value } }) {
        case .success(let reports)?:
            report(reports)
            return (ExitCode.success, left)
        case .failure(let error)?:
            // Shells report 128 plus the signal's number for a process that ended through a signal.
            if let number = signal.withLock({ $0 }) {
                ErrorStream.show("larder: interrupted; no file was written\n")
                return (128 + number, min(left, .seconds(1)))
            }
            return (fail(Self.message(error)), left)
        case nil: return (fail("the tables cannot be read"), left)
        }
    }

    private func report(_ reports: [QueryTableReport]) {
        let tables = OriginText.count(reports.count, "table")
        let items = OriginText.count(reports.reduce(0) { $0 + $1.rows }, "item")
        ErrorStream.show("larder: wrote \(file): \(tables) with \(items)\n")
        let partial = reports.filter { $0.coverage == .parts }.map(\.name)
        if partial.isEmpty { return }
        ErrorStream.show(
            "larder: maybe not all items of \(partial.joined(separator: ", ")): 'larder sync' makes complete copies\n"
        )
    }

    private func fail(_ message: String) -> Int32 {
        ErrorStream.fail("larder: \(message)\n")
        return ExitCode.failure
    }

    private static func message(_ error: QueryError) -> String {
        switch error {
        case .statement(let message, _), .limit(_, let message): message
        case .local(let error): error.message
        case .busy, .blocked, .notSynced, .cancelled: "the export was cancelled"
        }
    }
}
