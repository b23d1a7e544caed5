import JSON
import System
import TestSupport

@testable import DataSources
@testable import Model

/// The two kinds of storage that can be searched: a file and memory.
enum SearchSubject: CaseIterable {
    case file
    case memory

    /// Stores items, and returns the items that match a query.
    func hits(_ query: SearchQuery, among items: [ItemEntity]) throws -> SearchHits {
        switch self {
        case .file:
            let folder = try TemporaryDirectory()
            let store = try SearchedFile(folder)
            try store.save(items)
            return try store.hits(query)
        case .memory:
            let memory = MemoryDataSource(limit: 1 << 24)
            memory.save(LocalChange(items: items))
            return try MemorySearch.hits(query, in: memory)
        }
    }

    /// Stores items, and returns the ids of the items that match a query, in order.
    func ids(_ query: SearchQuery, among items: [ItemEntity]) throws -> [String] {
        try hits(query, among: items).items.map { try Self.id(of: $0) }
    }

    static func id(of json: [UInt8]) throws -> String {
        let id = try JSONValue(parsing: String(decoding: json, as: UTF8.self))["id"]
        if case .number(let digits)? = id { return digits }
        if case .string(let text)? = id { return text }
        return ""
    }
}

/// A cache file whose items are searched on this thread.
struct SearchedFile {
    let connection: SQLiteConnection
    let store: EntityStore

    init(_ folder: TemporaryDirectory) throws {
        let file = DatabaseFile(
            path: folder.file("cache.sqlite"), migrations: EntitySchema.migrations, synchronous: "NORMAL",
            cacheSize: 2048)
        connection = try file.open(now: Timestamp(milliseconds: 0)).connection
        store = EntityStore(connection)
    }

    func save(_ items: [ItemEntity], now: Int64 = 0) throws {
        try store.apply([.save(LocalChange(items: items))], now: Timestamp(milliseconds: now))
    }

    func hits(_ query: SearchQuery) throws -> SearchHits {
        if query.needsIndex { try index(query.resource) }
        return try ItemSearch(store).hits(query)
    }

    func ids(_ query: SearchQuery) throws -> [String] { try hits(query).items.map { try SearchSubject.id(of: $0) } }

    func index(_ resource: ResourceKey) throws {
        var indexer = SearchIndexer(store)
        try indexer.prepare()
        while try indexer.indexSome(of: resource) {}
    }
}
