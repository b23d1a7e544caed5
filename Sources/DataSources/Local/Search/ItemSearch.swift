import Model
import System

/// Searches the items in the cache file. Ignores incomplete items, which come from lists that omit fields.
struct ItemSearch {
    /// The SQL that sorts items by id: first the numeric ids by value, then the ids with other characters byte by byte.
    private static let idOrder = """
        items.id GLOB '*[^0-9]*', CASE WHEN items.id GLOB '*[^0-9]*' THEN 0 ELSE length(items.id) END, items.id
        """

    private let store: EntityStore

    init(_ store: EntityStore) { self.store = store }

    /// Returns the items that match a query, from one snapshot of the file. If the query contains search text, the
    /// function finds only items that `SearchIndexer` has indexed.
    func hits(_ query: SearchQuery) throws(SQLiteError) -> SearchHits {
        try store.connection.reading { () throws(SQLiteError) in
            let resources = try store.resources.resources(of: query)
            if resources.isEmpty { return SearchHits(items: [], count: 0) }
            let names = Dictionary(resources.map { ($0.number, $0.key) }) { first, _ in first }
            var keys = try keys(query, resources: resources.map(\.number)).compactMap { row in
                names[row.resource].map { (row.key, of: $0) }
            }
            var filter = ItemFilter(query.filters)
            if !filter.isEmpty {
                var matching: [(Int64, of: ResourceKey)] = []
                for (key, resource) in keys {
                    if let json = try store.item(key, of: resource)?.json, filter.matches(json) {
                        matching.append((key, resource))
                    }
                }
                keys = matching
            }
            keys = try ranked(keys, query)
            var items: [ItemEntity] = []
            var missing = 0
            for (key, resource) in keys.dropFirst(max(0, query.offset)) where items.count < query.limit {
                if let item = try store.item(key, of: resource) { items.append(item) } else { missing += 1 }
            }
            return SearchHits(
                items: items.map(\.json), count: keys.count - missing, keys: items.map(\.key),
                oldest: items.map(\.fetchedAt).min())
        }
    }

    /// Sorts the first `SearchRank.maxRanked` matching items by `SearchRank`, best match first. Further items keep
    /// their order.
    private func ranked(
        _ keys: [(Int64, of: ResourceKey)], _ query: SearchQuery
    ) throws(SQLiteError) -> [(Int64, of: ResourceKey)] {
        let words = SearchRank.words(of: query.text ?? "")
        guard !words.isEmpty, keys.count > 1 else { return keys }
        var ranks: [(rank: SearchRank, index: Int)] = []
        for (index, key) in keys.prefix(SearchRank.maxRanked).enumerated() {
            let json = try store.item(key.0, of: key.of)?.json ?? []
            ranks.append((SearchRank(of: json, for: words), index))
        }
        ranks.sort { ($0.rank, $0.index) < ($1.rank, $1.index) }
        return ranks.map { keys[$0.index] } + keys.dropFirst(SearchRank.maxRanked)
    }

    /// Returns the items that match the query's text, best match first. If the query has no text, returns the items in
    /// the order of their ids.
    private func keys(
        _ query: SearchQuery, resources: [Int64]
    ) throws(SQLiteError) -> [(key: Int64, resource: Int64)] {
        let list = "[\(resources.map { String($0) }.joined(separator: ","))]"
        var values: [SQLiteValue] = resources.count == 1 ? [.integer(resources[0])] : [.text(list)]
        let among = resources.count == 1 ? "= ?" : "IN (SELECT value FROM json_each(?))"
        var sql = "SELECT items.key, items.resource FROM items WHERE items.resource \(among) AND items.partial = 0"
        var order = Self.idOrder
        if let match = query.text.flatMap({ SearchTerms.match($0) }) {
            // CROSS JOIN makes SQLite iterate over the matches of the search text and look up the item of each match,
            // not the reverse.
            sql = """
                SELECT items.key, items.resource FROM search CROSS JOIN items ON items.key = search.rowid
                WHERE search MATCH ? AND items.resource \(among) AND items.partial = 0
                """
            order = "search.rank, " + order
            values.insert(.text(match), at: 0)
        }
        if let prefix = query.idPrefix, !prefix.isEmpty {
            sql += " AND substr(items.id, 1, length(?)) = ?"
            values += [.text(prefix), .text(prefix)]
        }
        if let since = query.fetchedAfter {
            sql += " AND (items.fetched_at > ?"
            values.append(.integer(since.milliseconds))
            let copies = try SyncTable(store).copies(of: resources, confirmingAfter: since, query.declaration)
            sql += copies.isEmpty ? ")" : " OR \(SyncTable.isConfirmed(by: copies)))"
        }
        var keys: [(key: Int64, resource: Int64)] = []
        try store.connection.rows("\(sql) ORDER BY \(order)", values) { keys.append(($0.integer(0), $0.integer(1))) }
        return keys
    }
}

/// Searches the items in memory, with the same results as `ItemSearch`, which searches the cache file.
// Each search copies the items into a temporary database in memory. The time of a search grows with the number of items
// of the resource, even if only a few of them match.
enum MemorySearch {
    /// Returns the items that match a query.
    ///
    /// - Throws: `LocalDataError` if the SQLite library cannot search.
    static func hits(_ query: SearchQuery, in memory: MemoryDataSource) throws(LocalDataError) -> SearchHits {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection()
            defer { connection.close() }
            try EntitySchema.migrations.apply(to: connection)
            let store = EntityStore(connection)
            let items = memory.wholeItems(of: query)
            try store.apply([.save(LocalChange(items: items))], now: Timestamp(milliseconds: 0))
            if query.needsIndex {
                var indexer = SearchIndexer(store)
                try indexer.prepare()
                for (_, resource) in try store.resources.resources(of: query) {
                    while try indexer.indexSome(of: resource) {}
                }
            }
            return try ItemSearch(store).hits(query)
        } catch {
            throw .search(error, in: "memory")
        }
    }
}

extension SearchQuery {
    /// Whether the query contains search text that is not blank.
    var needsIndex: Bool { text.flatMap { SearchTerms.match($0) } != nil }
}

extension LocalDataError {
    static func search(_ error: SQLiteError, in place: String) -> LocalDataError {
        if error.isMissingModule {
            return LocalDataError(
                "cannot search for words: this SQLite is built without FTS5; install an SQLite with FTS5")
        }
        return LocalDataError("cannot search: \(place): \(error)")
    }
}
