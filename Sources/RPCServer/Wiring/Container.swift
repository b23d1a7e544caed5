import DataSources
import Protocol
import Repositories
import System

/// The one place where implementations are chosen and wired.
struct Container: Sendable {
    let pending = PendingRequests()
    let lifecycle = Lifecycle()
    let trace = Trace()
    let logger: Logger
    private let loaded: CatalogLoader.Loaded
    private let options: Options
    private let clock = SystemClock()
    private let startedAt: Timestamp
    private let board = StatusBoard()
    private let counters = RemoteCounters()
    private let redactor: Redactor
    private let cache: Cache
    private let persistence: EntityDataSource?
    private let recents: any RecentSearchesDataSourceContract
    private let repositories: [any ResourceRepositoryContract]
    private let shared: ResourceRepository.Shared

    /// Wires a process. No file but the key of the fingerprints is opened, and no thread started, before the first request
    /// needs it.
    ///
    /// - Throws: `StartupError` where options or catalog cannot be followed.
    /// - Parameter loop: where the cache file is read, and the APIs are asked; one of its own where none is given.
    init(
        _ options: Options, environment: Environment, loop: EventLoop = EventLoop()
    ) throws(StartupError) {
        self.options = options
        loaded = try CatalogLoader(options: options, environment: environment).load()
        if let directory = options.replay, !Files.exists(directory) {
            throw StartupError(exitCode: ExitCode.usage, lines: ["larder: --replay: there is no folder '\(directory)'"])
        }
        startedAt = clock.now()
        let connections = HTTPEnvironment(environment.bytes)
        redactor = Redactor(secrets: loaded.catalog.secrets + connections.secrets)
        logger = Logger(level: options.logLevel, format: options.logFormat, redactor: redactor, clock: clock)
        for origin in loaded.catalog.unsearched {
            logger.log(
                .warning,
                "\(origin) has fewer than 8 characters or is a number; it is used, and not replaced where it is shown")
        }
        let onFault: @Sendable (DegradedPart) -> Void = { [board, logger] part in
            board.note(part)
            logger.log(.warning, "\(part.part): \(part.reason)")
        }
        let memory = MemoryDataSource(limit: options.memory)
        let places = Places(options, environment)
        for fault in places.faults { onFault(DegradedPart(part: fault.part, reason: fault.reason, since: startedAt)) }
        let (key, fault) = places.cache.map { KeyFile.key(besides: $0.path, trust: $0.trust) } ?? (.random(), nil)
        if let fault { onFault(DegradedPart(part: "persistence", reason: fault, since: startedAt)) }
        persistence = places.cache.map { [clock, board, catalog = loaded.catalog] file in
            EntityDataSource(
                path: file.path, loop: loop, trust: file.trust, limit: options.disk, clock: clock, onFault: onFault,
                onRecovery: { board.clear("persistence") }, usedElsewhere: { memory.takeUsed() }, key: key,
                former: { catalog.formerFingerprint(of: $0.name) })
        }
        recents = RecentSearchesDataSource(
            path: places.recents?.path, trust: places.recents?.trust ?? .named, clock: clock, onFault: onFault)
        cache = Cache(memory: memory, farther: persistence.map { [CacheLevel(.persistence, $0)] } ?? [])
        shared = ResourceRepository.Shared(
            cache: cache, limit: options.maxInFlight, warn: { [logger] in logger.log(.warning, $0) })
        repositories = Self.repositories(
            loaded.catalog, key: key,
            access: Self.access(options, loaded.catalog, connections, redactor, counters, clock, loop),
            clock: clock, redactor: redactor, shared: shared)
    }

    /// The explicit table of all methods.
    ///
    /// - Parameter watch: called with the process that `initialize` names.
    func router(watch: @escaping @Sendable (Int) -> Void) -> Router {
        let errors = RPCErrorMapper(redactor: redactor)
        let names = loaded.catalog.resources.map(\.name)
        let observers = Observers()
        var table: [String: any Handler] = [
            "initialize": InitializeHandler(resources: names, trace: trace, watch: watch),
            "initialized": LifecycleHandler(.initialized) {},
            "shutdown": LifecycleHandler(.shutdown) { [lifecycle] in lifecycle.beginShutdown() },
            "exit": LifecycleHandler(.exit) { [lifecycle] in lifecycle.beginExit() },
            "$/cancelRequest": CancelHandler(pending: pending),
            "$/setTrace": TraceHandler(trace: trace),
            "server/status": StatusHandler(
                catalog: loaded.origin, resources: names, pending: pending, board: board, redactor: redactor,
                clock: clock, startedAt: startedAt),
            "cache/stats": CacheStatsHandler(
                levels: cache.statistics, remote: counters, repositories: repositories),
            "cache/remove": CacheSelectionHandler(
                counted: "removed", summary: "Deletes entries of the cache.", resources: loaded.catalog.resources,
                clock: clock, action: cache.remove),
            "cache/invalidate": CacheSelectionHandler(
                counted: "invalidated", summary: "Marks entries of the cache stale; they are kept to stand in.",
                resources: loaded.catalog.resources, clock: clock, action: cache.invalidate),
            "recents/list": RecentsScopeHandler(action: .list, recents: recents, errors: errors),
            "recents/clear": RecentsScopeHandler(action: .clear, recents: recents, errors: errors),
            "recents/add": RecentsTextHandler(action: .add, recents: recents, errors: errors),
            "recents/remove": RecentsTextHandler(action: .remove, recents: recents, errors: errors),
        ]
        for repository in repositories {
            let resource = repository.resource
            let context = ResourceContext(
                repository: repository, idType: resource.id, errors: errors, isOffline: options.isOffline)
            if resource.canGet {
                table["\(resource.name)/get"] = GetHandler(context: context)
                table["\(resource.name)/getMany"] = GetManyHandler(context: context)
            }
            if let list = resource.list {
                table["\(resource.name)/list"] = ListHandler(context: context, list: list)
                table["\(resource.name)/prefetch"] = PrefetchHandler(context: context, list: list)
            }
            table["\(resource.name)/search"] = SearchHandler(context: context)
            table["\(resource.name)/observe"] = ObserveHandler(
                context: context, list: resource.list, observers: observers)
            table["\(resource.name)/unobserve"] = UnobserveHandler(
                resource: resource.name, observers: observers)
        }
        table["request/explain"] = ExplainHandler(others: table)
        table[DiscoverHandler.method] = DiscoverHandler(others: table, resources: loaded.catalog.resources)
        return Router(table)
    }

    /// Brings everything that is kept to disk.
    ///
    /// - Parameter limit: how long what is refreshed behind may take.
    func close(within limit: Duration) async {
        await shared.background.finish(within: limit)
        await persistence?.close()
        await recents.close()
    }
}
