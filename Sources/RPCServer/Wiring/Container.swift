import DataSources
import HTTP
import Model
import Protocol
import Repositories
import System

/// Creates the objects of the program and connects them. Only the code in the folder `Wiring` chooses the types that
/// implement protocols such as `HTTPClientContract`.
package enum Container {
    /// Creates a server process for the catalogs that the options name. The process opens most files and starts threads
    /// on demand.
    ///
    /// - Parameters:
    ///   - loop: the event loop that reads the cache file and calls the APIs.
    ///   - given: an already loaded catalog; nil to load the catalog from the options.
    ///   - watch: observes the requests to APIs.
    /// - Throws: `StartupError` for invalid options, and for a catalog that the process cannot load.
    @_optimize(size)
    package static func process(
        _ options: Options, environment: Environment, loop: EventLoop = EventLoop(),
        given: CatalogLoader.Loaded? = nil, watch: ClientWatch? = nil
    ) throws(StartupError) -> Process {
        let loader = CatalogLoader(options: options, environment: environment)
        let loaded = if let given { given } else { try loader.load() }
        if let directory = options.replay, !Files.exists(directory) {
            throw StartupError(
                exitCode: ExitCode.usage,
                lines: ["larder: --replay: the folder '\(directory)' does not exist; correct its path"])
        }
        let clock = SystemClock()
        let startedAt = clock.now()
        let connections = HTTPEnvironment(environment.bytes)
        let sharing = try SharedOptions.settings(options, environment)
        let secretsOfProcess = connections.secrets + (sharing?.secrets ?? [])
        let secrets = loaded.catalog.secrets + secretsOfProcess
        let transport = HTTPClient(
            version: Version.current, environment: connections, loop: loop, memoryInFlight: options.memoryInFlight)
        let tokens = TokenStore(transport, timer: loop)
        let serving = CurrentCatalog(ServedCatalog(router: Router([:]), secrets: secrets), learned: tokens.learned)
        let logger = Logger(
            level: options.logLevel, format: options.logFormat, redactor: serving.redactor, clock: clock)
        let board = StatusBoard()
        let onFault: @Sendable (DegradedPart) -> Void = { part in
            board.note(part)
            logger.log(.warning, "\(part.part): \(part.reason)")
        }
        let places = Places(options, environment)
        for fault in places.faults { onFault(DegradedPart(part: fault.part, reason: fault.reason, since: startedAt)) }
        let (key, fault) = places.cache.map { KeyFile.key(besides: $0.path, trust: $0.trust) } ?? (.random(), nil)
        if let fault { onFault(DegradedPart(part: "persistence", reason: fault, since: startedAt)) }
        let memory = MemoryDataSource(limit: options.memory)
        let persistence = places.cache.map { file in
            EntityDataSource(
                path: file.path, loop: loop, trust: file.trust, limit: options.disk, clock: clock, onFault: onFault,
                onRecovery: { board.clear("persistence") }, usedElsewhere: { memory.takeUsed() }, key: key)
        }
        let sharedLevel = sharing.map { settings in
            SharedLevel(
                settings, transport: transport, notes: persistence, loop: loop, clock: clock, onFault: onFault,
                onRecovery: { board.clear("shared") })
        }
        let recents = RecentSearchesDataSource(
            path: places.recents?.path, trust: places.recents?.trust ?? .named, clock: clock, onFault: onFault)
        let cache = Cache(
            memory: memory, file: persistence, shared: sharedLevel?.entries,
            syncs: persistence?.syncStore(clock: clock))
        let process = Process(
            options: options, environment: environment, clock: clock, startedAt: startedAt, logger: logger,
            board: board, counters: RemoteCounters(),
            missingFields: MissingFieldWarnings { [isOn = options.warnsOfMissingFields] in
                if isOn { logger.log(.warning, $0) }
            },
            remotes: Remotes(
                transport: transport, secrets: secretsOfProcess, tokens: tokens,
                limiters: RequestLimiters(timer: loop) { sharedLevel?.budget(of: $0) },
                watch: watch),
            loop: loop, key: key, recents: recents,
            shared: RepositoryContext(
                cache: cache, limit: options.maxInFlight,
                warn: { watch?.warn($0) ?? logger.log(.warning, $0) }),
            queries: CacheQueries(file: persistence, memory: memory, clock: clock, memoryLimit: options.memoryQuery),
            sharedLevel: sharedLevel, serving: serving,
            catalogFiles: loaded.files)
        serving.replace(by: self.serving(loaded, by: process))
        return process
    }

    /// Creates the methods and repositories for a catalog, and logs warnings about the catalog.
    static func serving(_ loaded: CatalogLoader.Loaded, by process: Process) -> ServedCatalog {
        let secrets = loaded.catalog.secrets + process.remotes.secrets
        let redactor = Redactor(secrets: secrets, learned: process.remotes.tokens.learned)
        process.remotes.tokens.beginCatalog()
        let repositories = repositories(loaded, redactor, process)
        log(loaded, process)
        let contexts = contexts(repositories, redactor, process)
        let queries = CatalogQueries(process.queries, repositories.map { ($0.resource, $0.key) })
        let table = table(loaded, repositories, contexts, queries, redactor, process)
        return ServedCatalog(
            router: Router(table),
            mcp: MCPRouter(
                repositories.compactMap { contexts[$0.resource.name] }, RPCErrorMapper(redactor: redactor),
                clock: process.clock, queries: queries, toolPrefix: process.options.toolPrefix),
            secrets: secrets,
            resources: contexts, queries: queries)
    }

    /// Logs warnings about secrets that cannot be redacted, and about APIs that cannot be called.
    private static func log(_ loaded: CatalogLoader.Loaded, _ process: Process) {
        let logger = process.logger
        for origin in loaded.catalog.unredactedOrigins {
            logger.log(
                .warning,
                "\(origin) is not redacted in output: the value has fewer than 8 characters or is a number; use a"
                    + " longer value, or one with letters")
        }
        if process.options.warnsOfUnconfiguredAPIs {
            for (_, reason) in unreachable(loaded) { logger.log(.warning, reason) }
        }
    }

    /// Returns the APIs that lack a secret or a variable, each with the reason.
    private static func unreachable(_ loaded: CatalogLoader.Loaded) -> [(api: String, reason: String)] {
        loaded.catalog.apis.filter { !$0.missingValues.isEmpty }.map { api in
            (api.name, UnconfiguredDataSource.reason(api, in: loaded.origin))
        }
    }

    /// Returns the state that the handlers of each resource share, by resource name.
    private static func contexts(
        _ repositories: [any ResourceRepositoryContract], _ redactor: Redactor, _ process: Process
    ) -> [String: ResourceContext] {
        let errors = RPCErrorMapper(redactor: redactor)
        var contexts: [String: ResourceContext] = [:]
        for repository in repositories {
            contexts[repository.resource.name] = ResourceContext(
                repository: repository, idType: repository.resource.id, errors: errors,
                isOffline: process.options.isOffline, hasShared: process.sharedLevel != nil,
                missingFields: repository.resource.fields == nil ? process.missingFields : nil)
        }
        return contexts
    }

    /// Returns the handlers of all methods, by method name.
    @_optimize(size)
    private static func table(
        _ loaded: CatalogLoader.Loaded, _ repositories: [any ResourceRepositoryContract],
        _ contexts: [String: ResourceContext], _ queries: CatalogQueries, _ redactor: Redactor, _ process: Process
    ) -> [String: any Handler] {
        let errors = RPCErrorMapper(redactor: redactor)
        let names = loaded.catalog.resources.map(\.name)
        let cache = process.shared.cache
        var table: [String: any Handler] = [
            "initialized": LifecycleHandler(.initialized),
            "shutdown": LifecycleHandler(.shutdown),
            "exit": LifecycleHandler(.exit),
            "$/cancelRequest": CancelHandler(),
            "$/setTrace": TraceHandler(),
            "server/status": StatusHandler(
                catalog: loaded.origin, loadedAt: process.clock.now(), resources: names,
                unreachable: unreachable(loaded), board: process.board,
                limiters: process.remotes.limiters, redactor: redactor, clock: process.clock,
                startedAt: process.startedAt),
            "cache/stats": CacheStatsHandler(
                levels: cache.statistics, remote: process.counters, repositories: repositories),
            "cache/syncs": SyncsHandler(contexts: Array(contexts.values), errors: errors, states: cache.syncStates),
            "cache/query": QueryHandler(errors: errors, clock: process.clock, queries: queries),
            "cache/remove": CacheSelectionHandler(
                counted: "removed", summary: "Removes entries from the cache.", resources: loaded.catalog.resources,
                clock: process.clock, action: cache.remove),
            "cache/invalidate": CacheSelectionHandler(
                counted: "invalidated",
                summary: "Marks cache entries as stale. They are still returned if the API fails.",
                resources: loaded.catalog.resources, clock: process.clock, action: cache.invalidate),
        ]
        table.merge(RecentsMethods.handlers(process.recents, errors)) { first, _ in first }
        for context in contexts.values { table.merge(methods(of: context)) { first, _ in first } }
        table["request/explain"] = ExplainHandler(others: table)
        table[InitializeHandler.method] = InitializeHandler(resources: names, others: table)
        table[DiscoverHandler.method] = DiscoverHandler(others: table, resources: loaded.catalog.resources)
        return table
    }

    /// Returns the handlers of one resource's methods, by the method name without the resource, such as `get`.
    @_optimize(size)
    static func methods(of context: ResourceContext) -> [String: any Handler] {
        let resource = context.repository.resource
        // A resource without a scope needs no `ScopedHandler`, which would slow down its cache hits.
        func scoped(
            isOptional: Bool = false, _ make: @escaping @Sendable (ResourceContext) -> some Handler
        ) -> any Handler {
            resource.scope.isEmpty ? make(context) : ScopedHandler(context, isOptional: isOptional, make: make)
        }
        var table: [String: any Handler] = [
            "search": scoped(isOptional: true) { SearchHandler(context: $0) },
            "observe": scoped { ObserveHandler(context: $0, list: resource.list) },
            "unobserve": UnobserveHandler(resource: resource.name),
        ]
        if resource.canGet {
            table["get"] = scoped { GetHandler(context: $0) }
            table["getMany"] = scoped { GetManyHandler(context: $0) }
        }
        if let list = resource.list {
            table["list"] = scoped { ListHandler(context: $0, list: list) }
            table["prefetch"] = scoped { PrefetchHandler(context: $0, list: list) }
            table["sync"] = scoped { SyncHandler(context: $0, list: list) }
        }
        return Dictionary(table.map { ("\(resource.name)/\($0.key)", $0.value) }) { first, _ in first }
    }
}
