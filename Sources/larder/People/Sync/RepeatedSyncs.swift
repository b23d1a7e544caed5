import JSON
import RPCServer
import System

/// Runs `larder sync` without a resource: updates all local copies of the catalog's lists in the cache file.
///
/// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class RepeatedSyncs {
    private let process: Process
    private let client: InProcessClient
    private let options: CommandOptions
    private let view: TerminalView

    init(_ process: Process, _ options: CommandOptions, _ environment: Environment) {
        (self.process, self.options) = (process, options)
        client = InProcessClient(process.serving)
        view = TerminalView(
            Terminal(of: 1, colour: options.people.colour, environment), isSingle: false, options, process.clock)
    }

    /// Runs all syncs one after the other. A failed sync does not stop the remaining syncs. Returns the exit code, and
    /// the maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        guard let syncs = ask("cache/syncs", .null, about: "sync")?["syncs"]?.elements else {
            return (ExitCode.failure, left)
        }
        if syncs.isEmpty {
            ErrorStream.show("larder: nothing to sync; start with: larder sync RESOURCE\n")
            return (ExitCode.success, left)
        }
        interruptOnSignals()
        var output = TerminalOutput()
        var hasFailed = false
        for sync in syncs {
            let name = SyncText.name(of: sync)
            guard let result = ask("\(sync["resource"]?.string ?? "")/sync", params(of: sync), about: name) else {
                if let signal = signal.withLock({ $0 }) { return (128 + signal, .seconds(1)) }
                hasFailed = true
                continue
            }
            guard output.write(text(result, of: sync, name)) else { break }
        }
        return (hasFailed ? ExitCode.failure : output.exitCode, left)
    }

    private let signal = Lock<Int32?>(nil)

    private func interruptOnSignals() {
        let interrupt: @Sendable (Int32) -> Void = { [signal, cancel = client.cancel] number in
            signal.withLock { $0 = number }
            cancel()
        }
        Signals.install(onHangup: { interrupt(SIGHUP) }, onEnd: interrupt)
    }

    private func params(of sync: JSONValue) -> JSONValue {
        var params = JSONObject([])
        if case .object(let scope)? = sync["scope"] { params = scope }
        params["filter"] = sync["filter"]
        options.people.syncing.add(to: &params)
        return .object(params)
    }

    private func text(_ result: JSONValue, of sync: JSONValue, _ name: String) -> String {
        if view.format.isForPeople {
            let changes = SyncText.changes(result).map { "  \($0)\n" }.joined()
            return view.plain("\(name): \(SyncText.summary(result))\n\(changes)")
        }
        guard case .object(let members) = result else { return "" }
        // The line names the copy first.
        var line = JSONObject([])
        for key in ["resource", "scope", "filter"] { line[key] = sync[key] }
        for member in members.members { line[member.key] = member.value }
        return view.json(.object(line))
    }

    private func ask(_ method: String, _ params: JSONValue, about name: String) -> JSONValue? {
        let (result, error) = client.ask(method, params)
        if result == nil, signal.withLock({ $0 }) == nil {
            ErrorStream.fail("larder: \(name): \(error?["message"]?.string ?? "no reply")\n")
        }
        return result
    }
}
