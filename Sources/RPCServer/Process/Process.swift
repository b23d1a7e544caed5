import DataSources
import Model
import Repositories
import System

/// The state of the process that outlives every catalog and every session.
package struct Process: Sendable {
    package let options: Options
    package let environment: Environment
    package let clock: any ClockContract
    let startedAt: Timestamp
    let logger: Logger
    package let board: StatusBoard
    let counters: RemoteCounters
    package let remotes: Remotes
    /// The loop on which the cache file is read and the APIs are called.
    let loop: EventLoop
    /// The key of the resources' fingerprints.
    let key: FingerprintKey
    let recents: any RecentSearchesDataSourceContract
    /// The state that all repositories use, such as the cache and the request limits.
    package let shared: RepositoryContext
    /// The level of the cache that several machines share; nil if none is configured.
    package let sharedLevel: SharedLevel?
    package let serving: CurrentCatalog
    /// The files of the catalog that was loaded at the start.
    let catalogFiles: [WatchedFile]

    /// Saves all pending data and closes the files.
    ///
    /// - Parameter limit: the time that background refreshes may take.
    /// - Returns: the reason why the cache file is incomplete; nil if it is complete or not used.
    @discardableResult package func close(within limit: Duration) async -> String? {
        await shared.background.finish(within: limit)
        Program.Group.all.killAll()
        await sharedLevel?.entries.noteBackoff()
        let isWhole = await shared.cache.close()
        await recents.close()
        guard options.isPersistent, !isWhole else { return nil }
        return board.degraded.first { $0.part == "persistence" }?.reason ?? "the cache file cannot be written"
    }
}

/// The parts of the process that do not work, for `server/status`. Each part is listed once, with its newest reason.
package final class StatusBoard: Sendable {
    private let parts = Lock<[DegradedPart]>([])

    package var degraded: [DegradedPart] { parts.withLock { $0 } }

    /// Removes a part that works again.
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

/// The version of the program, as in CHANGELOG.md.
package enum Version {
    package static let current = "0.1.0"
}
