import DataSources
import Model
import Repositories
import System

/// What there is once in a process, whatever catalog it serves and whoever talks to it.
package struct Process: Sendable {
    package let options: Options
    package let environment: Environment
    package let clock: any ClockContract
    let startedAt: Timestamp
    let logger: Logger
    package let board: StatusBoard
    let counters: RemoteCounters
    package let remotes: Remotes
    /// Where the cache file is read, and the APIs are asked.
    let loop: EventLoop
    /// What the fingerprints of resources are made with.
    let key: FingerprintKey
    let recents: any RecentSearchesDataSourceContract
    /// What all repositories share, the cache above all.
    package let shared: RepositoryContext
    /// The level of the cache that many machines share; nil where none was asked for.
    package let sharedLevel: SharedLevel?
    package let serving: CurrentServing
    /// What the catalog that is served first was made of.
    let catalogFiles: [WatchedFile]

    /// Brings everything that is kept to disk.
    ///
    /// - Parameter limit: how long what is refreshed behind may take.
    /// - Returns: why the cache file has not all that it was given; nil where it has, and with `--no-persistence`.
    @discardableResult package func close(within limit: Duration) async -> String? {
        await shared.background.finish(within: limit)
        Program.Group.all.killAll()
        await sharedLevel?.entries.noteBackoff()
        let isWhole = await shared.cache.close()
        await recents.close()
        guard options.isPersistent, !isWhole else { return nil }
        return board.degraded.first { $0.part == "persistence" }?.reason ?? "it cannot be written"
    }
}

/// What is not as it should be, for `server/status`. A part stands there once, with its newest reason.
package final class StatusBoard: Sendable {
    private let parts = Lock<[DegradedPart]>([])

    package var degraded: [DegradedPart] { parts.withLock { $0 } }

    /// A part works as it should again.
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

/// The version of the program.
package enum Version {
    /// As in CHANGELOG.md.
    package static let current = "0.1.0"
}
