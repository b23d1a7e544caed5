import Catalog
import DataSources
import JSON
import Model
import Protocol
import RPCServer
import Repositories
import System

/// Runs the commands `larder get`, `list`, `search` and `prefetch`.
struct TerminalRun {
    private let request: TerminalRequest
    private let options: CommandOptions
    private let environment: Environment
    private let process: Process
    private let client: InProcessClient
    private let view: TerminalView

    init(_ request: TerminalRequest, _ process: Process, _ options: CommandOptions, _ environment: Environment) {
        self.request = request
        self.options = options
        self.environment = environment
        self.process = process
        client = InProcessClient(process.serving)
        view = TerminalView(Terminal(of: 1, environment), options, process.clock)
    }

    /// Runs the command. Returns the exit code, and the maximum time for work that is still in flight.
    func run() -> (code: Int32, left: Duration) {
        let left = Duration.milliseconds(options.drain)
        do throws(TerminalFailure) {
            let resources = process.serving.current.resources.values.map { $0.repository.resource }
            let resource = try request.resource(in: resources)
            let words = TerminalParams(command: request.command, resource: resource, catalog: options.catalog)
            let params = try words.params(request.words, options.people)
            switch request.command {
            case .get: return (try get(words, params), left)
            case .list: return (try list(resource, words, params), left)
            case .search: return (try search(words, params), left)
            case .prefetch: return try prefetch(words, params, left)
            }
        } catch {
            StandardStreams.write(error.lines, to: 2)
            return (ExitCode.failure, left)
        }
    }

    private func ask(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> JSONValue {
        let (result, error) = client.ask(request.command.method(of: request.resource), .object(params))
        guard let result else { throw TerminalFailure(error, words) }
        return result
    }

    private func get(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int32 {
        guard params["id"] != nil else { throw TerminalFailure("get needs an id", hint: words.form) }
        let result = try ask(words, params)
        var output = TerminalOutput()
        var origin = OriginText()
        origin.add(result)
        let item = result["item"] ?? .null
        if output.write(view.item(item)) { view.end(origin, to: &output) }
        return output.exitCode
    }

    /// Prints each page as soon as it arrives. So the output starts early, and only one page is in memory.
    private func list(
        _ resource: ResourceDefinition, _ words: TerminalParams, _ params: JSONObject
    ) throws(TerminalFailure) -> Int32 {
        let options = options.people
        let isPaginated = options.isAll || options.limit != nil && params["page"] == nil
        var (params, output, origin) = (params, TerminalOutput(), OriginText())
        var rows = TerminalRows(view)
        var (left, pages) = (options.limit ?? .max, 0)
        var cursor = PageCursor(first: PageToken(params["page"]) ?? resource.list?.firstPage ?? .first)
        while cursor.enter() {
            let result = try ask(words, params)
            let all = result["items"]?.elements ?? []
            guard cursor.take(ids(all, of: resource)) else {
                throw TerminalFailure(
                    "page \(params["page"]?.text ?? "1") has the same items as the page before it; stopped")
            }
            let items = all.prefix(left)
            origin.add(result)
            guard output.write(rows.text(Array(items))) else { return output.exitCode }
            left -= items.count
            pages += 1
            let next = result["page"]?["next"] ?? .null
            guard isPaginated, next != .null, left > 0 else {
                let isCut = items.count < all.count
                let summary = ListSummary(
                    shown: rows.count, pages: pages, page: result["page"] ?? .null, isCut: isCut,
                    isPaginated: isPaginated)
                view.end(origin, to: &output, before: rows.notes + [summary.text])
                return output.exitCode
            }
            guard let token = PageToken(next) else {
                throw TerminalFailure("the next page \(next.text) is neither an integer nor a string; stopped")
            }
            if cursor.hasTooManyEmptyPages {
                throw TerminalFailure("too many empty pages in a row before page \(next.text); stopped")
            }
            (params["page"], cursor.next) = (next, token)
        }
        throw TerminalFailure("the API returned page \(params["page"]?.text ?? "1") twice; stopped")
    }

    /// Returns texts that identify the items of a page, to detect a repeated page: the ids of the items, or otherwise
    /// the whole items. Returns nil if the items have no ids and the user has selected the fields to show.
    private func ids(_ items: [JSONValue], of resource: ResourceDefinition) -> [String]? {
        let ids = resource.hasDeclaredIDSource ? [] : items.compactMap { $0["id"]?.text }
        if ids.count == items.count { return ids }
        return options.people.fields == nil ? items.map(\.text) : nil
    }

    private func search(_ words: TerminalParams, _ params: JSONObject) throws(TerminalFailure) -> Int32 {
        let maxLimit = SearchParams.maxLimit
        let options = options.people
        var (params, output, rows) = (params, TerminalOutput(), TerminalRows(view))
        var left = options.limit ?? (options.isAll ? .max : SearchParams.defaultLimit)
        var offset = params["offset"]?.int ?? 0
        while true {
            params["limit"] = .integer(min(left, maxLimit))
            if offset > 0 { params["offset"] = .integer(offset) }
            let result = try ask(words, params)
            let items = result["items"]?.elements ?? []
            guard output.write(rows.text(items)) else { return output.exitCode }
            left -= items.count
            offset += items.count
            let count = result["count"]?.int ?? 0
            if left <= 0 || items.isEmpty || offset >= count {
                let more = offset < count ? ", more: --limit N or --all" : ""
                let found = "\(rows.count) of \(OriginText.count(count, "cached item"))\(more); no requests were made"
                view.end(to: &output, rows.notes + [found])
                return output.exitCode
            }
        }
    }

    private func prefetch(
        _ words: TerminalParams, _ params: JSONObject, _ left: Duration
    ) throws(TerminalFailure) -> (code: Int32, left: Duration) {
        var params = params
        params["workDoneToken"] = 1
        let environment = environment
        let bar = ProgressBar(request.resource, terminal: { Terminal(of: 2, environment) })
        let signal = Lock<Int32?>(nil)
        let cancel = client.cancel
        let interrupt: @Sendable (Int32) -> Void = { number in
            signal.withLock { $0 = number }
            bar.end()
            cancel()
        }
        Signals.install(onHangup: { interrupt(SIGHUP) }, onEnd: interrupt)
        let (result, error) = client.ask(request.command.method(of: request.resource), .object(params)) { bar.show($0) }
        bar.end()
        if result == nil, let number = signal.withLock({ $0 }) {
            let isKept = options.isPersistent && !process.board.degraded.contains { $0.part == "persistence" }
            StandardStreams.write("larder: interrupted\(isKept ? "; the fetched pages are cached" : "")\n", to: 2)
            // Shells report 128 plus the signal's number for a process that a signal has ended. Work in flight gets one
            // second at most, because the user wants the process to exit.
            return (128 + number, min(left, .seconds(1)))
        }
        guard let result else { throw TerminalFailure(error, words) }
        var output = TerminalOutput()
        _ = output.write(view.prefetched(result))
        return (output.exitCode, left)
    }
}

/// The summary below a printed list, such as `20 of 60 items, page 1 of 3`.
struct ListSummary {
    /// The number of printed items.
    let shown: Int
    /// The number of printed pages.
    let pages: Int
    /// The page info of the last page: `{"current", "pages", "count", "next", ...}`.
    let page: JSONValue
    /// Whether some items of the last page were not printed.
    let isCut: Bool
    /// Whether the command fetches several pages.
    let isPaginated: Bool

    var text: String {
        let count = page["count"]?.int
        let items =
            count.map { $0 == shown ? OriginText.count($0, "item") : "\(shown) of \(OriginText.count($0, "item"))" }
            ?? OriginText.count(shown, "item")
        var parts = [items]
        if isPaginated {
            if pages > 1 { parts.append(OriginText.count(pages, "page")) }
        } else if let current = page["current"]?.int, let pages = page["pages"]?.int, pages > 1 {
            parts.append("page \(current) of \(pages)")
        }
        let next = page["next"] ?? .null
        if isCut || next != .null {
            let name = next.string.map { VisibleText.line($0) } ?? next.text
            // A cursor is suggested only if it is short and contains no characters that a shell interprets.
            let isPlain = name.utf8.count <= 40 && name.utf8.allSatisfy { Self.isPlain($0) }
            parts.append(!isPaginated && !isCut && isPlain ? "next: --page \(name), all: --all" : "more: --all")
        }
        return parts.joined(separator: ", ")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "="):
            true
        default: false
        }
    }
}
