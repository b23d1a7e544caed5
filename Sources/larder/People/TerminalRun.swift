import Catalog
import DataSources
import JSON
import Model
import Protocol
import RPCServer
import Repositories
import System

/// Runs the commands `larder get`, `list`, `search` and `prefetch`.
// A class rather than a struct, because the machine code to copy a large struct takes several kilobytes.
final class TerminalRun {
    private let request: TerminalRequest
    private let options: CommandOptions
    private let environment: Environment
    private let process: Process
    private let client: InProcessClient
    private let view: TerminalView
    private let waiting: WaitingLine
    private let writer: @Sendable (String) -> Int32
    /// The running pager; nil before the first output, and if there is no pager.
    private let paging = Lock<Pager?>(nil)

    init(
        _ request: TerminalRequest, _ process: Process, _ options: CommandOptions, _ environment: Environment,
        writer: @escaping @Sendable (String) -> Int32 = TerminalOutput.write
    ) {
        self.writer = writer
        self.request = request
        self.options = options
        self.environment = environment
        self.process = process
        client = InProcessClient(process.serving)
        let isSingle = request.command == .get && !request.hasSeveralIDs
        view = TerminalView(
            Terminal(of: 1, colour: options.people.colour, environment), isSingle: isSingle, options, process.clock)
        waiting = WaitingLine(request.resource, terminal: { Terminal(of: 2, environment) })
    }

    /// Runs the command, and shows the output in the user's pager if there is one. Returns the exit code, and the
    /// maximum time to wait for unfinished work at exit.
    func run() -> (code: Int32, left: Duration) {
        let (code, left) = runToEnd()
        guard let pager = paging.withLock({ $0 }), !pager.finish() else { return (code, left) }
        ErrorStream.fail("larder: the program in PAGER cannot be started: correct it, or use --no-pager\n")
        return (ExitCode.failure, left)
    }

    /// The output on stdout or in the pager.
    private var output: TerminalOutput { TerminalOutput(prepare: startPager, writer: writer) }

    /// Starts the pager at the first output. Earlier error messages and the progress line (`WaitingLine`) therefore
    /// appear directly on the terminal.
    private func startPager() {
        guard let pagerCommand, paging.withLock({ $0 == nil }) else { return }
        let pager = Pager(pagerCommand, onExit: client.cancel)
        paging.withLock { $0 = pager }
    }

    /// The command of the pager. Nil if the output is not for people at a terminal, or if the user wants no pager.
    private var pagerCommand: String? {
        guard options.people.isPaged, view.terminal.canRedraw,
            let pager = environment.bytes("PAGER").map({ String(decoding: $0, as: UTF8.self) }),
            !["", "cat"].contains(pager)
        else { return nil }
        return pager
    }

    private func runToEnd() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        do throws(TerminalFailure) {
            let resources = process.serving.current.resources.values.map { $0.repository.resource }
            let resource = try request.resource(in: resources, options.catalogs)
            let words = TerminalParams(command: request.command, resource: resource, catalogs: options.catalogs)
            words.fieldsFile = options.people.fieldsFile
            let params = try words.params(request.words, options.people)
            try words.check(options.people) {
                let scope = resource.scope.compactMap { part in params[part.name].map { (part.name, $0) } }
                return CachedCandidates.fields(of: resource.name, JSONObject(scope), client)
            }
            switch request.command {
            case .get where request.hasSeveralIDs: return (try getMany(words, params), left)
            case .get: return (try get(words, params), left)
            case .list: return (try list(resource, words, params), left)
            case .search: return (try search(words, params), left)
            case .prefetch, .sync: return try fetchList(words, params, left)
            }
        } catch {
            // The request was cancelled because the user has left the pager.
            if paging.withLock({ $0?.hasExited == true }) { return (ExitCode.success, left) }
            ErrorStream.fail(error.lines)
            return (ExitCode.failure, left)
        }
    }

    private func ask(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> JSONValue {
        try ask(request.command.method(of: request.resource), words, params)
    }

    private func ask(
        _ method: String, _ words: TerminalParams, _ params: JSONObject
    ) throws(TerminalFailure) -> JSONValue {
        // The waiting line would overwrite the screen of a pager.
        let (result, error) =
            paging.withLock({ $0 == nil })
            ? waiting.during { client.ask(method, .object(params)) } : client.ask(method, .object(params))
        guard let result else { throw TerminalFailure(error, words, params) }
        return result
    }

    private func get(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int32 {
        guard params["id"] != nil else { throw TerminalFailure("'larder get' needs an id", hint: words.form) }
        let result = try ask(words, params)
        var output = self.output
        var origin = OriginText()
        origin.add(result)
        var text = ItemsText(view, isSingle: true, similar: process.missingFields.similar)
        if output.write(text.text([result["item"] ?? .null])) { view.end(origin, to: &output) }
        for warning in text.warnings { ErrorStream.show("larder: \(warning)\n") }
        return output.exitCode
    }

    /// Runs `larder open`: prints the URL of the item's web page, and opens the page in a browser. Returns the exit
    /// code, and the maximum time to wait for unfinished work at exit.
    func open() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        do throws(TerminalFailure) {
            let resources = process.serving.current.resources.values.map { $0.repository.resource }
            let resource = try request.resource(in: resources, options.catalogs)
            let words = TerminalParams(command: .get, resource: resource, catalogs: options.catalogs)
            let result = try ask(words, try words.params(request.words, TerminalOptions()))
            let item = result["item"] ?? .null
            guard let page = WebPage(of: item) else {
                throw TerminalFailure(
                    "'\(request.resource)' has no field with the URL of a web page, such as 'html_url'",
                    hint: "\(words.form) shows the fields of the item; a field 'web' in the catalog can select the URL")
            }
            var output = TerminalOutput(writer: writer)
            guard output.write(page.url + "\n") else { return (output.exitCode, left) }
            return (page.open(environment) ? ExitCode.success : ExitCode.failure, left)
        } catch {
            ErrorStream.fail(error.lines)
            return (ExitCode.failure, left)
        }
    }

    /// Prints the items with the given ids, and reports the ids without an item.
    private func getMany(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int32 {
        let result = try ask("\(request.resource)/getMany", words, params)
        let items = options.people.order.sorted(result["items"]?.elements ?? [])
        var output = self.output
        var text = ItemsText(
            view, names: options.people.order.keys.map(\.name), similar: process.missingFields.similar)
        if output.write(text.text(items) + text.end) {
            let note = OriginText.many(result) + (view.format.isForPeople ? age(of: result, params) : "")
            view.end(OriginText(many: result), to: &output, before: text.notes + [note])
        }
        for warning in text.warnings { ErrorStream.show("larder: \(warning)\n") }
        let missing = result["missing"]?.elements ?? []
        if missing.isEmpty { return output.exitCode }
        let fallback = result["fallback"]?["message"]?.string.map { ": \(VisibleText.line($0))" } ?? ""
        let names = missing.prefix(20).map { VisibleText.line($0.string ?? $0.text, limit: 100) }
        let kind = fallback.isEmpty ? "notFound" : "not fetched"
        ErrorStream.fail("larder: \(kind): \(names.joined(separator: ", "))\(fallback)\n")
        return ExitCode.failure
    }

    /// Returns the age of the oldest item in a `getMany` result as text that begins with a comma. Empty if all items
    /// come from the API.
    private func age(of result: JSONValue, _ params: JSONObject) -> String {
        guard result["sources"]?["remote"]?.int != result["items"]?.elements.count else { return "" }
        // The result of `getMany` contains no times, so this code reads the items again from the cache.
        var oldest = Int64.max
        for id in params["ids"]?.elements ?? [] {
            var params = params
            for name in ["ids", "fields", "maxAge"] { params[name] = nil }
            params["id"] = id
            params["cachePolicy"] = "localOnly"
            let result = client.ask("\(request.resource)/get", .object(params)).result
            if let time = result?["fetchedAt"]?.string.flatMap({ DateText($0)?.milliseconds }) {
                oldest = min(oldest, time)
            }
        }
        let now = process.clock.now().milliseconds
        return oldest == .max ? "" : ", " + OriginText.oldest(OriginText.age(now - oldest))
    }

    private var printer: ItemsPrinter {
        ItemsPrinter(
            view, options.people.order, limit: options.people.limit ?? .max, output,
            similar: process.missingFields.similar)
    }

    /// Prints each page when it arrives, so that only one page is in memory. A list that must be sorted is printed at
    /// the end.
    private func list(
        _ resource: ResourceDefinition, _ words: TerminalParams, _ params: JSONObject
    ) throws(TerminalFailure) -> Int32 {
        let options = options.people
        let isPaginated = options.isAll || options.limit != nil && params["page"] == nil
        var (params, origin, printer) = (params, OriginText(), printer)
        var (left, pages) = (options.received, 0)
        var cursor = PageCursor(first: PageToken(params["page"]) ?? resource.list?.firstPage ?? .first)
        while cursor.enter() {
            let result = try ask(words, params)
            let all = result["items"]?.elements ?? []
            guard cursor.take(ids(all, of: resource)) else {
                throw TerminalFailure(
                    "page \(params["page"]?.text ?? "1") has the same items as the page before it; check \"pagination\" in the catalog"
                )
            }
            let items = all.prefix(left)
            origin.add(result)
            guard printer.write(Array(items)) else { return printer.output.exitCode }
            left -= items.count
            pages += 1
            let next = result["page"]?["next"] ?? .null
            guard isPaginated, next != .null, left > 0 else {
                let isWritten = printer.end()
                let isCut = items.count < all.count || printer.isCut
                let summary = ListSummary(
                    shown: printer.count, pages: pages, page: result["page"] ?? .null, isCut: isCut,
                    isPaginated: isPaginated, isAll: options.isAll)
                if view.isOffline, view.format.isForPeople {
                    let syncs = client.ask("cache/syncs", .null).result
                    origin.add(copySyncedAt: SyncedCopy(of: resource, for: params).syncedAt(in: syncs))
                }
                if isWritten { view.end(origin, to: &printer.output, before: printer.notes + [summary.text]) }
                return printer.output.exitCode
            }
            guard let token = PageToken(next) else {
                throw TerminalFailure(
                    "stopped: the next page must be an integer or a string, not \(next.text); check \"pagination\" in"
                        + " the catalog"
                )
            }
            if cursor.hasTooManyEmptyPages {
                throw TerminalFailure("stopped after too many empty pages; to continue, use --page \(next.text)")
            }
            (params["page"], cursor.next) = (next, token)
            waiting.detail = "\(OriginText.count(printer.count, "item")), \(OriginText.count(pages, "page"))"
        }
        throw TerminalFailure(
            "the API returned page \(params["page"]?.text ?? "1") twice; check \"pagination\" in the catalog")
    }

    /// Returns a string for each item, so that the caller can detect a repeated page. The string is the id, or the
    /// whole item if items have no ids. Returns nil if items have no ids and the user has selected fields, because
    /// different items could then look equal.
    private func ids(_ items: [JSONValue], of resource: ResourceDefinition) -> [String]? {
        let ids = resource.hasDeclaredIDSource ? [] : items.compactMap { $0["id"]?.text }
        if ids.count == items.count { return ids }
        return options.people.fields == nil ? items.map(\.text) : nil
    }

    private func search(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int32 {
        let maxLimit = SearchParams.maxLimit
        let options = options.people
        var (params, printer) = (params, printer)
        var left = options.limit == nil && !options.isAll ? SearchParams.defaultLimit : options.received
        var offset = params["offset"]?.int ?? 0
        while true {
            params["limit"] = .integer(min(left, maxLimit))
            if offset > 0 { params["offset"] = .integer(offset) }
            let result = try ask(words, params)
            let items = result["items"]?.elements ?? []
            guard printer.write(items) else { return printer.output.exitCode }
            left -= items.count
            offset += items.count
            let count = result["count"]?.int ?? 0
            if left <= 0 || items.isEmpty || offset >= count {
                if printer.end(), view.format.isForPeople {
                    let more = offset < count || printer.isCut ? ", more: --limit N or --all" : ""
                    let shown = printer.count == count ? "" : "\(printer.count) of "
                    let matches = shown + OriginText.count(count, "match", "matches")
                    let cached = OriginText.count(try cachedCount(words, params), "cached item")
                    let now = process.clock.now().milliseconds
                    let synced = OriginText.moment(result["syncedAt"]).map { ", " + OriginText.synced(now - $0) } ?? ""
                    let found = "\(matches) in \(cached)\(synced)\(more); no requests were made"
                    view.end(to: &printer.output, printer.notes + [found])
                }
                return printer.output.exitCode
            }
        }
    }

    /// Returns the number of cached items that a search examines, including those that do not match.
    private func cachedCount(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int {
        var all = params
        for name in ["text", "filter", "offset", "fields"] { all[name] = nil }
        all["limit"] = 1
        return try ask(words, all)["count"]?.int ?? 0
    }

    /// Runs `prefetch` or `sync`, which read a whole list, and shows their progress.
    private func fetchList(
        _ words: TerminalParams, _ params: JSONObject, _ left: Duration
    ) throws(TerminalFailure) -> (code: Int32, left: Duration) {
        var params = params
        if request.command == .sync { options.people.syncing.add(to: &params) }
        let fetcher = ListFetcher(process, client, options, environment)
        fetcher.interruptOnSignals()
        let (result, error) = fetcher.ask(
            request.command.method(of: request.resource), params, title: request.resource)
        // Work in flight gets at most one second, because the user wants the process to exit.
        if result == nil, let code = fetcher.interruption() { return (code, min(left, .seconds(1))) }
        guard let result else { throw TerminalFailure(error, words, params) }
        var output = TerminalOutput(writer: writer)
        _ = output.write(request.command == .sync ? view.synced(result) : view.prefetched(result))
        return (output.exitCode, left)
    }
}
