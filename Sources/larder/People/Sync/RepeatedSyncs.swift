import JSON
import RPCServer
import System

/// Runs `larder sync` without a resource: updates all local copies of the catalog's lists in the cache file.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class RepeatedSyncs {
    private let client: InProcessClient
    private let fetcher: ListFetcher
    private let options: CommandOptions
    private let view: TerminalView

    init(_ process: Process, _ options: CommandOptions, _ environment: Environment) {
        self.options = options
        client = InProcessClient(process.serving)
        fetcher = ListFetcher(process, client, options, environment)
        view = TerminalView(
            Terminal(of: 1, colour: options.people.colour, environment), isSingle: false, options, process.clock)
    }

    /// Runs all syncs one after the other. A failed sync does not stop the remaining syncs. Returns the exit code, and
    /// the maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        let (known, error) = client.ask("cache/syncs", .null)
        guard let syncs = known?["syncs"]?.elements else {
            report(error, about: "sync")
            return (ExitCode.failure, left)
        }
        let others = known?["others"]?.elements ?? []
        if syncs.isEmpty, others.isEmpty {
            ErrorStream.show("larder: nothing to sync; start with: larder sync RESOURCE\n")
            return (ExitCode.success, left)
        }
        // A resource of another catalog may have the same name, so these copies need not be a mistake.
        if syncs.isEmpty || isatty(2) != 0 { others.forEach(refuse) }
        fetcher.interruptOnSignals()
        var output = TerminalOutput()
        var hasFailed = syncs.isEmpty
        for (index, sync) in syncs.enumerated() {
            let name = SyncText.name(of: sync)
            let title = syncs.count > 1 ? "\(index + 1) of \(syncs.count): \(name)" : name
            let (result, error) = fetcher.ask(
                "\(sync["resource"]?.string ?? "")/sync", params(of: sync), title: title)
            guard let result else {
                if let code = fetcher.interruption() {
                    return (hasFailed ? max(code, ExitCode.failure) : code, min(left, .seconds(1)))
                }
                report(error, about: name)
                hasFailed = true
                continue
            }
            guard output.write(text(result, of: sync, name)) else { break }
        }
        return (hasFailed ? ExitCode.failure : output.exitCode, left)
    }

    private func params(of sync: JSONValue) -> JSONObject {
        var params = JSONObject([])
        if case .object(let scope)? = sync["scope"] { params = scope }
        params["filter"] = sync["filter"]
        options.people.syncing.add(to: &params)
        return params
    }

    private func text(_ result: JSONValue, of sync: JSONValue, _ name: String) -> String {
        if view.format.isForPeople {
            let changes = SyncText.changes(result).map { "  \($0)\n" }.joined()
            return view.plain("\(name): \(SyncText.summary(result))\n\(changes)")
        }
        guard case .object(let members) = result else { return "" }
        // The first members of the line identify the copy.
        var line = JSONObject([])
        for key in ["resource", "scope", "filter"] { line[key] = sync[key] }
        for member in members.members { line[member.key] = member.value }
        return view.json(.object(line))
    }

    /// Reports that a local copy of a list was not updated, because it was made with other credentials or another
    /// catalog.
    private func refuse(_ copy: JSONValue) {
        let command = CommandHint.line("sync \(SyncText.arguments(of: copy).joined(separator: " "))", options.catalogs)
        let text =
            "\(SyncText.name(of: copy)): this copy was made with other credentials or another catalog, so it was not"
            + " updated; to make a new copy, run: \(command)"
        ErrorStream.fail("larder: \(VisibleText.line(text))\n")
    }

    private func report(_ error: JSONValue?, about name: String) {
        ErrorStream.fail("larder: \(name): \(error?["message"]?.string ?? "no reply")\n")
    }
}
