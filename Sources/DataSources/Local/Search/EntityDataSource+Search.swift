extension EntityDataSource {
    /// Looks among the items that are kept. What was saved since the last search by text is indexed first, in steps
    /// between which other writes have their turn; those that wait are done before.
    ///
    /// - Throws: `LocalDataError`, unavailable where there is no file to search.
    public func search(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        do {
            while try await step(query) {}
        } catch {
            throw .search(error, in: shared.file.path.description)
        }
        let hits = try await reader.read("search") { (view) throws(SQLiteError) -> SearchHits? in
            guard let store = view.store else { return nil }
            // A file that can be read and not be written may lack the index.
            if query.needsIndex, try !SearchIndexer.isPrepared(store.connection) { return nil }
            return try ItemSearch(store).hits(query)
        }
        guard let hits else {
            throw LocalDataError("cannot search: \(shared.file.path) cannot be used", isUnavailable: true)
        }
        return hits
    }

    /// Does what waits, and indexes some of what is not. Returns whether there is more to index. Where another process
    /// keeps the file locked, what is indexed by then is searched.
    private func step(_ query: SearchQuery) async throws(SQLiteError) -> Bool {
        do {
            return try await writer.perform { (store) throws(SQLiteError) in
                guard query.needsIndex else { return false }
                var indexer = SearchIndexer(store)
                try indexer.prepare()
                return try indexer.indexSome(of: query.resource)
            } ?? false
        } catch {
            guard error.isBusy, !Task.isCancelled else { throw error }
            return false
        }
    }
}
