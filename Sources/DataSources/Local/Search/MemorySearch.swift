import System

/// Looks among the items in memory, as `ItemSearch` does in the file: they are put into a database in memory that lives
/// as long as the search. That takes a moment for each item of the resource, however few of them are found.
enum MemorySearch {
    /// What a query finds.
    ///
    /// - Throws: `LocalDataError` where this SQLite cannot search.
    static func hits(_ query: SearchQuery, in memory: MemoryDataSource) throws(LocalDataError) -> SearchHits {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection()
            defer { connection.close() }
            try EntitySchema.migrations.apply(to: connection)
            let store = EntityStore(connection)
            let items = memory.wholeItems(of: query.resource)
            try store.apply([.save(LocalChange(items: items))], now: Timestamp(milliseconds: 0))
            if query.needsIndex {
                var indexer = SearchIndexer(store)
                try indexer.prepare()
                while try indexer.indexSome(of: query.resource) {}
            }
            return try ItemSearch(store).hits(query)
        } catch {
            throw .search(error, in: "memory")
        }
    }
}

extension SearchQuery {
    /// Whether it has a text to look for.
    var needsIndex: Bool { text.flatMap { SearchTerms.match($0) } != nil }
}

extension LocalDataError {
    /// Why a search failed.
    static func search(_ error: SQLiteError, in place: String) -> LocalDataError {
        if error.isMissingModule {
            return LocalDataError("cannot search for a text: this system's SQLite is built without FTS5")
        }
        return LocalDataError("cannot search: \(place): \(error)")
    }
}
