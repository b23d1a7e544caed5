/// Looks among what is cached, never on the network: in the file, and where there is no file to be had in memory.
public struct CacheSearch: Sendable {
    private let memory: MemoryDataSource
    private let persistence: (any PersistentDataSourceContract)?

    /// A search of both levels. The file keeps all that memory does, so memory is asked where there is none only.
    public init(memory: MemoryDataSource, persistence: (any PersistentDataSourceContract)?) {
        self.memory = memory
        self.persistence = persistence
    }

    /// What a query finds.
    ///
    /// - Throws: `LocalDataError` where the file is there and cannot be searched, or where SQLite lacks FTS5.
    public func hits(_ query: SearchQuery) async throws(LocalDataError) -> SearchHits {
        if let persistence {
            do {
                return try await persistence.search(query)
            } catch {
                guard error.isUnavailable else { throw error }
            }
        }
        return try MemorySearch.hits(query, in: memory)
    }
}
