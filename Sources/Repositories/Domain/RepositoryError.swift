import DataSources

/// Why a repository has no answer.
public enum RepositoryError: Error, Equatable, Sendable {
    /// The remote has none, and the cache may not or cannot stand in.
    case remote(APIError)
    /// The remote must not be asked, and the cache has nothing.
    case notCached(resource: String)
    /// Too many requests wait on upstreams.
    case busy(limit: Int)
}
