import DataSources
import Model
import System

/// Stores the API's answers in the cache levels, and copies entries from lower to upper levels. Discards entries that
/// were removed or invalidated since the request or the read.
final class CacheWriter: Sendable {
    /// A snapshot of two counters: the number of removals and invalidations in memory, and the number of the current
    /// epoch. If two snapshots differ, entries were removed or invalidated between them.
    struct Moment: Equatable, Sendable {
        fileprivate let removals: Int
        fileprivate let epoch: Int
    }

    private let memory: MemoryDataSource
    private let lowerLevels: [CacheLevel]
    /// The number of the current epoch. Each removal or invalidation starts a new epoch, and the cache discards answers
    /// to requests from earlier epochs.
    private let epoch = Lock(0)

    /// Creates a writer that stores entries in memory and in the given lower levels.
    ///
    /// - Parameter lowerLevels: the cache levels below memory, from the upper to the lower.
    init(memory: MemoryDataSource, lowerLevels: [CacheLevel]) {
        self.memory = memory
        self.lowerLevels = lowerLevels
    }

    var currentEpoch: Int { epoch.withLock { $0 } }

    /// Starts a new epoch, so that answers to earlier requests are discarded. Must be called before entries are removed
    /// or marked as stale.
    func beginEpoch() { epoch.withLock { $0 += 1 } }

    /// The current counters of removals and invalidations. A caller that copies entries to upper levels must first read
    /// this property, and then the entries.
    var now: Moment { Moment(removals: memory.removals, epoch: currentEpoch) }

    /// Stores the API's answer to a request in memory, and passes the answer to the other cache levels. Discards the
    /// answer if entries were removed or invalidated since the request.
    ///
    /// - Parameter epoch: the value of `currentEpoch` when the request started.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        self.epoch.withLock {
            guard $0 == epoch else { return }
            memory.save(change)
            for level in lowerLevels { level.entries.save(change) }
        }
    }

    /// Stores entries of a cache level in all upper levels, unless there was a removal or an invalidation since
    /// `moment`.
    ///
    /// - Parameters:
    ///   - index: the index of the level in `lowerLevels`.
    ///   - moment: the value of `now` before the entries were read.
    func promote(_ changes: [LocalChange], above index: Int, since moment: Moment) {
        for change in changes { memory.promote(change, since: moment.removals) }
        guard index > 0 else { return }
        epoch.withLock {
            guard $0 == moment.epoch, memory.removals == moment.removals else { return }
            for change in changes { for level in lowerLevels[..<index] { level.entries.save(change) } }
        }
    }

    /// Stores an entry of a lower cache level in memory, unless entries were removed or invalidated since `moment`.
    func promote(_ entry: some CacheEntry, since moment: Moment) { entry.promote(to: memory, since: moment.removals) }

    /// Returns the given changes without outdated items. An item is outdated if an upper cache level stores a newer
    /// version of it.
    ///
    /// - Parameters:
    ///   - changes: the entries to copy to the upper levels.
    ///   - index: the index in `lowerLevels` of the level from which the entries were read.
    // Memory compares versions itself; the cache file does not. Single items need no check, because the cache promotes
    // an item only if no upper level could answer for it.
    func newer(_ changes: [LocalChange], above index: Int) async -> [LocalChange] {
        guard index > 0, changes.contains(where: { $0.page != nil }) else { return changes }
        var newer: [LocalChange] = []
        for change in changes {
            var items = Array(change.items)
            for level in lowerLevels[..<index] {
                guard let stored = try? await level.entries.read(items.map(\.key)) else { continue }
                items = zip(items, stored).filter { new, old in old.map { $0.fetchedAt <= new.fetchedAt } ?? true }
                    .map(\.0)
            }
            newer.append(LocalChange(items: items, page: change.page))
        }
        return newer
    }
}
