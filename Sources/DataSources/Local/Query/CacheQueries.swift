import Catalog
import Model
import System

/// Answers read-only SQL statements over all cached items. The first query starts a thread and opens a connection.
public final class CacheQueries: Sendable {
    /// The maximum number of queries that wait while another one runs.
    public static let maxWaiting = 8
    /// The maximum time to wait until pending writes are stored, in milliseconds.
    private static let maxFlush: Milliseconds = 2000

    /// The maximum time of an export, in milliseconds: a year.
    private static let maxExport: Milliseconds = 365 * 86_400_000

    private let file: EntityDataSource?
    private let memory: MemoryDataSource
    private let clock: any ClockContract
    private let turns: QueryTurns
    /// The queries that run or wait.
    private let queries = Lock<[QueryCancellation]>([])

    /// - Parameters:
    ///   - file: the cache file; nil for none.
    ///   - memory: the items in memory, which are searched if there is no usable file.
    ///   - memoryLimit: the maximum number of bytes that a query may use.
    public init(
        file: EntityDataSource?, memory: MemoryDataSource, clock: any ClockContract, memoryLimit: Int
    ) {
        (self.file, self.memory, self.clock) = (file, memory, clock)
        turns = QueryTurns { QueryEngine(file: file?.context.file, memoryLimit: memoryLimit) }
    }

    /// Runs a query over the tables of a catalog. The query sees all changes that this process has made before.
    ///
    /// - Throws: `QueryError`, also if the calling task is cancelled.
    public func run(_ query: CacheQuery, _ schema: QuerySchema) async throws(QueryError) -> QueryAnswer {
        let work = QueryEngine.Work(timeout: query.timeout) { (connection, run) throws(QueryError) in
            try QueryEngine.answer(query, connection, run)
        }
        return try await perform(work, schema)
    }

    /// Writes all tables of a catalog to an SQLite file that only the owner can read. All rows show the cache at the
    /// same moment. Replaces an existing file.
    ///
    /// - Returns: the reports about the tables.
    /// - Throws: `QueryError`, also if the calling task is cancelled. An existing file is then unchanged.
    public func export(to path: FilePath, _ schema: QuerySchema) async throws(QueryError) -> [QueryTableReport] {
        let work = QueryEngine.Work(timeout: Self.maxExport) { (connection, run) throws(QueryError) in
            try TableExport.write(from: connection, run, to: path)
        }
        return try await perform(work, schema)
    }

    private func perform<Value: Sendable>(
        _ work: QueryEngine.Work<Value>, _ schema: QuerySchema
    ) async throws(QueryError) -> Value {
        let cancellation = QueryCancellation()
        guard enter(cancellation) else { throw .busy }
        defer { queries.withLock { $0.removeAll { $0 === cancellation } } }
        let isFileUsable = await file?.storePending(within: Self.maxFlush) ?? false
        let late = { @Sendable () -> QueryEngine.Outcome<Value> in
            let stop = cancellation.isCancelled ? QueryMeter.Stop.cancelled : .time
            cancellation.cancel()
            return QueryEngine.Outcome(answer: .failure(stop.error), damaged: [])
        }
        let result = await withTaskCancellationHandler {
            await turns.run(within: work.timeout, late: late) { [self] engine in
                await outcome(work, schema, engine, cancellation, isFileUsable)
            }
        } onCancel: {
            cancellation.cancel()
        }
        let found = try result.get()
        if !found.damaged.isEmpty { await file?.removeDamaged(found.damaged) }
        return try found.answer.get()
    }

    /// Cancels all queries, and closes the connection to the cache file.
    public func close() async {
        for query in queries.withLock({ $0 }) { query.cancel() }
        await turns.close()
    }

    /// Adds a query. Returns false if too many queries wait.
    private func enter(_ query: QueryCancellation) -> Bool {
        queries.withLock { queries in
            guard queries.count <= Self.maxWaiting else { return false }
            queries.append(query)
            return true
        }
    }

    private func outcome<Value: Sendable>(
        _ work: QueryEngine.Work<Value>, _ schema: QuerySchema, _ engine: QueryEngine,
        _ cancellation: QueryCancellation, _ isFileUsable: Bool
    ) async -> QueryEngine.Outcome<Value> {
        let now = clock.now()
        do {
            return try await engine.run(work, schema, now: now, cancellation, isFileUsable: isFileUsable) {
                [memory] schema in
                schema.tables.flatMap { memory.items(of: $0.key) }
            }
        } catch {
            let place = file?.context.file.path.description ?? "memory"
            let local = LocalDataError("cannot query: \(place): \(error)")
            return QueryEngine.Outcome(answer: .failure(.local(local)), damaged: [])
        }
    }
}

/// Answers SQL statements over the tables of one catalog. The tables are defined at the first query.
public final class CatalogQueries: Sendable {
    private let queries: CacheQueries
    private let resources: [(resource: ResourceDefinition, key: ResourceKey)]
    private let made = Lock(QuerySchema?.none)

    /// - Parameter resources: the resources of the catalog with their cache keys. The keys must not contain scope
    ///   values, because a table contains the items of all scopes.
    public init(_ queries: CacheQueries, _ resources: [(resource: ResourceDefinition, key: ResourceKey)]) {
        (self.queries, self.resources) = (queries, resources)
    }

    /// The tables of the catalog.
    public var schema: QuerySchema {
        made.withLock { made in
            let schema = made ?? QuerySchema(resources)
            made = schema
            return schema
        }
    }

    /// Runs a query. See `CacheQueries.run`.
    public func run(_ query: CacheQuery) async throws(QueryError) -> QueryAnswer {
        try await queries.run(query, schema)
    }

    /// Writes all tables to a file. See `CacheQueries.export`.
    public func export(to path: FilePath) async throws(QueryError) -> [QueryTableReport] {
        try await queries.export(to: path, schema)
    }
}

extension EntityDataSource {
    /// Tries to store all pending writes within the given time, in milliseconds. Returns whether the cache file can be
    /// read afterwards.
    fileprivate func storePending(within time: Milliseconds) async -> Bool {
        // Usually, no write is pending and the file is open. The query then need not wait for other threads.
        if context.pending.isSettled,
            reader.readAtOnce({ (view) throws(SQLiteError) in view.store != nil }) == true
        {
            return true
        }
        let end = Monotonic.milliseconds + time
        while await !writer.writePending(), Monotonic.milliseconds < end, !Task.isCancelled {
            try? await EventLoop.shared.sleep(milliseconds: 20)
        }
        return (try? await reader.read("query") { (view) throws(SQLiteError) in view.store != nil }) ?? false
    }

    /// Counts damaged rows, and removes them from the file.
    fileprivate func removeDamaged(_ rows: [DamagedRow]) async {
        context.health.foundDamaged(rows.count)
        await writer.remove(rows)
    }
}
