import DataSources
import Model
import Repositories
import System

/// The state that all sessions of a server process share. Catalog reloads do not change this state.
package struct Process: Sendable {
    package let options: Options
    package let environment: Environment
    package let clock: any ClockContract
    let startedAt: Timestamp
    let logger: Logger
    package let board: StatusBoard
    let counters: RemoteCounters
    package let missingFields: MissingFieldWarnings
    package let remotes: Remotes
    /// The event loop that reads the cache file and calls the APIs.
    let loop: EventLoop
    /// The secret key for computing the fingerprints of resources.
    let key: FingerprintKey
    let recents: any RecentSearchesDataSourceContract
    /// The state that all repositories share, such as the cache and the request limits.
    package let shared: RepositoryContext
    /// Answers SQL statements over the cache.
    let queries: CacheQueries
    /// The cache level that several machines share; nil if this level is off.
    package let sharedLevel: SharedLevel?
    package let serving: CurrentCatalog
    /// The files of the catalog that the process loaded at its start.
    let catalogFiles: [WatchedFile]

    /// Saves all pending data and closes the files.
    ///
    /// - Parameter limit: the maximum time to wait for background refreshes.
    /// - Returns: the reason why the cache file is incomplete. Nil if the cache file is complete, or if there is no
    ///   cache file.
    @discardableResult package func close(within limit: Duration) async -> String? {
        await shared.background.finish(within: limit)
        Program.Group.all.killAll()
        await sharedLevel?.entries.noteBackoff()
        await queries.close()
        let isWhole = await shared.cache.close()
        await recents.close()
        guard options.isPersistent, !isWhole else { return nil }
        return board.degraded.first { $0.part == "persistence" }?.reason ?? "the cache file cannot be written"
    }
}

/// The newest error of each failed component, such as the cache file. `server/status` reports these errors.
package final class StatusBoard: Sendable {
    private let parts = Lock<[DegradedPart]>([])

    package var degraded: [DegradedPart] { parts.withLock { $0 } }

    /// Removes the stored error of a component, because the component works again.
    func clear(_ part: String) {
        parts.withLock { parts in parts.removeAll { $0.part == part } }
    }

    func note(_ part: DegradedPart) {
        parts.withLock { parts in
            parts.removeAll { $0.part == part.part }
            parts.append(part)
        }
    }
}

/// The version of Larder, as in CHANGELOG.md.
package enum Version {
    package static let current = "0.2.0"
}
