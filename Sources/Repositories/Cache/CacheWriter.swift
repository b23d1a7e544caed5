import DataSources
import Model
import System

/// Stores the remote's answers in the levels of the cache, and promotes entries to upper levels. Discards entries that
/// were removed or invalidated in the meantime.
final class CacheWriter: Sendable {
    /// The numbers of removals and epochs at one moment. If one of them has grown since, entries were removed or
    /// invalidated.
    struct Moment: Equatable, Sendable {
        fileprivate let removals: Int
        fileprivate let epoch: Int
    }

    private let memory: MemoryDataSource
    private let lowerLevels: [CacheLevel]
    /// The number of removals and invalidations so far. The answer to a request from an earlier epoch must neither be
    /// stored nor answer later requests.
    private let epoch = Lock(0)

    /// - Parameter lowerLevels: the levels below memory, from the upper to the lower.
    init(memory: MemoryDataSource, lowerLevels: [CacheLevel]) {
        self.memory = memory
        self.lowerLevels = lowerLevels
    }

    /// The number of the current epoch.
    var currentEpoch: Int { epoch.withLock { $0 } }

    /// Starts a new epoch. Must be called before entries are removed or marked stale.
    func beginEpoch() { epoch.withLock { $0 += 1 } }

    /// The current moment. Read it before reading an entry that is to be promoted.
    var now: Moment { Moment(removals: memory.removals, epoch: currentEpoch) }

    /// Stores the remote's answer to a request that was made in `epoch`. Discards the answer if entries were removed or
    /// invalidated since. Memory is written first, so that a caller that has the answer also finds it in memory.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        self.epoch.withLock {
            guard $0 == epoch else { return }
            memory.save(change)
            for level in lowerLevels { level.entries.save(change) }
        }
    }

    /// Stores entries of a level in the levels above it, unless entries were removed since `moment`.
    ///
    /// - Parameters:
    ///   - index: the index of the level in `lowerLevels`.
    ///   - moment: the moment before the entries were read.
    func promote(_ changes: [LocalChange], above index: Int, since moment: Moment) {
        for change in changes { memory.promote(change, since: moment.removals) }
        guard index > 0 else { return }
        epoch.withLock {
            guard $0 == moment.epoch, memory.removals == moment.removals else { return }
            for change in changes { for level in lowerLevels[..<index] { level.entries.save(change) } }
        }
    }

    /// Stores an item of a lower level in memory, unless entries were removed since `moment`.
    func promote(_ item: ItemEntity, since moment: Moment) { memory.promote(item, since: moment.removals) }

    /// Leaves out the items of pages that are older than the same items in the upper levels.
    ///
    /// Memory makes this comparison itself; the cache file does not. Single items need no check: they are promoted only
    /// if no upper level had an acceptable one.
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
