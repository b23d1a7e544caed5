import Catalog
import DataSources
import JSON
import Model
import Protocol
import RPCServer
import System

/// Runs `larder watch`: prints an item or a page of a list, and then each change until the user ends the command.
///
/// The command requests the data again each time the data becomes stale. Between these requests, it also prints changes
/// that other processes make in the same cache file.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class WatchRun {
    /// The events for which the command waits.
    private struct Events {
        /// The number of notifications from the observer so far.
        var changes = 0
        /// The number of the signal that ends the command; nil before the signal.
        var signal: Int32?
    }

    private let request: TerminalRequest
    private let options: CommandOptions
    private let environment: Environment
    private let process: Process
    private let client: InProcessClient
    private let view: TerminalView
    private let events = Monitor(Events())

    init(_ request: TerminalRequest, _ process: Process, _ options: CommandOptions, _ environment: Environment) {
        self.request = request
        self.options = options
        self.environment = environment
        self.process = process
        client = InProcessClient(process.serving)
        let terminal = Terminal(of: 1, colour: options.people.colour, environment)
        view = TerminalView(terminal, isSingle: request.command == .get, options, process.clock)
    }

    /// Runs the command. Returns the exit code, and the maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        do throws(TerminalFailure) {
            return try watch()
        } catch {
            ErrorStream.fail(error.lines)
            return (ExitCode.failure, .milliseconds(options.drain))
        }
    }

    private func watch() throws(TerminalFailure) -> (code: Int32, left: Duration) {
        let resources = process.serving.current.resources.values.map { $0.repository.resource }
        let resource = try request.resource(in: resources, options.catalogs)
        let words = TerminalParams(command: request.command, resource: resource, catalogs: options.catalogs)
        let params = try words.params(request.words, options.people)
        guard request.command == .list || params["id"] != nil else {
            throw TerminalFailure("'larder watch' needs an id", hint: words.form)
        }
        interruptOnSignals()
        try observe(words, params)
        var known = try first(words, params)
        var output = TerminalOutput()
        guard show(known, to: &output) else { return end(output) }
        let schedule = WatchSchedule(
            given: options.people.interval, freshFor: resource.cache.freshFor, isOffline: options.isOffline)
        if isatty(2) != 0 || schedule.lacksRequests { ErrorStream.show("larder: \(schedule.note)\n") }
        var (seen, isFirst, failure) = (events.withLock { $0.changes }, true, String?.none)
        while true {
            let limit = schedule.wait(from: known.fetchedAt, now: process.clock.now(), isFirst: isFirst)
            let isChanged = wait(upTo: limit, after: seen)
            if let signal = events.withLock({ $0.signal }) { return (128 + signal, .seconds(1)) }
            seen = events.withLock { $0.changes }
            if !isChanged { isFirst = false }
            let next = read(words, params, isChanged ? .localOnly : .remoteFirst)
            if let signal = events.withLock({ $0.signal }) { return (128 + signal, .seconds(1)) }
            if let text = next.failure, text != failure { ErrorStream.fail("larder: \(text)\n") }
            if !isChanged { failure = next.failure }
            guard let state = next.state else { continue }
            guard show(changes(from: known, to: state), to: &output) else { return end(output) }
            known = state
        }
    }

    private func end(_ output: TerminalOutput) -> (code: Int32, left: Duration) {
        (output.exitCode, .milliseconds(options.drain))
    }

    private func interruptOnSignals() {
        let (events, cancel) = (events, client.cancel)
        let interrupt: @Sendable (Int32) -> Void = { number in
            events.change { $0.signal = number }
            cancel()
        }
        Signals.install(onHangup: { interrupt(SIGHUP) }, onEnd: interrupt)
    }

    /// Waits for a notification, for a signal, or for the time of the next request. Returns whether a notification from
    /// the observer has arrived.
    private func wait(upTo limit: Milliseconds?, after seen: Int) -> Bool {
        let isReady: (Events) -> Bool = { $0.changes > seen || $0.signal != nil }
        guard let limit else { return events.wait(until: isReady) { $0.changes > seen } }
        _ = events.wait(upTo: .milliseconds(limit), until: isReady)
        return events.withLock { $0.changes > seen }
    }

    // MARK: Requests

    private func observe(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) {
        let names = ["id", "page", "filter"] + words.resource.scope.map(\.name)
        let observed = JSONObject(names.compactMap { name in params[name].map { (name, $0) } })
        let (result, error) = client.ask(
            "\(request.resource)/observe", .object(observed),
            onChange: { [events] in events.change { $0.changes += 1 } })
        guard result != nil else { throw TerminalFailure(error, words, params) }
    }

    /// Requests the data for the first time, with the cache policy of the catalog or of the command line.
    private func first(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> WatchedState {
        let waiting = WaitingLine(request.resource) { [environment] in Terminal(of: 2, environment) }
        let (result, error) = waiting.during {
            client.ask(request.command.method(of: request.resource), .object(params))
        }
        guard let result else { throw TerminalFailure(error, words, params) }
        return WatchedState(result)
    }

    /// Reads the watched item or page again. Returns its state, and the error message of a failed request. The state is
    /// nil if it is unknown, and the message is nil if no request failed.
    private func read(
        _ words: TerminalParams, _ params: JSONObject, _ policy: CachePolicy
    ) -> (state: WatchedState?, failure: String?) {
        var params = params
        params["cachePolicy"] = .string(policy.rawValue)
        let (result, error) = client.ask(request.command.method(of: request.resource), .object(params))
        if let result { return (WatchedState(result), WatchedState.failure(of: result)) }
        let kind = error?["data"]?["kind"]?.string
        // The item or page may have been deleted by the API, or removed from the cache.
        if kind == RPCError.Code.notFound.kind { return (WatchedState(), nil) }
        return (nil, policy == .localOnly ? nil : TerminalFailure(error, words, params).message)
    }

    // MARK: Output

    private func changes(from old: WatchedState, to new: WatchedState) -> [ItemChange] {
        request.command == .get
            ? ItemChange.between(old.items.first, new.items.first) : ItemChange.between(old.items, new.items)
    }

    private func show(_ changes: [ItemChange], to output: inout TerminalOutput) -> Bool {
        let (text, now) = (ChangeText(view: view), process.clock.now())
        return output.write(changes.map { text.text($0, now: now) }.joined())
    }

    /// Prints the state at the start of the watch. The formats `table` and `record` show the item or a table of the
    /// list. All other formats report each item as added.
    private func show(_ state: WatchedState, to output: inout TerminalOutput) -> Bool {
        var text = ItemsText(
            view, isSingle: request.command == .get, similar: process.missingFields.similar)
        let lines = text.text(state.items) + text.end
        for warning in text.warnings { ErrorStream.show("larder: \(warning)\n") }
        guard view.format.isForPeople else { return show(changes(from: WatchedState(), to: state), to: &output) }
        guard output.write(lines) else { return false }
        view.end(state.origin, to: &output, before: text.notes)
        return output.failure == nil
    }
}
