import DataSources
import Model
import System

/// What is kept in the levels of the cache, and moved from one to those before it; and what a removal forbids to be
/// kept after it.
final class Promotion: Sendable {
    /// How many removals there were when something was asked for or read.
    struct Moment: Equatable, Sendable {
        fileprivate let removals: Int
        fileprivate let epoch: Int
    }

    private let memory: any VolatileDataSourceContract
    private let farther: [CacheLevel]
    /// Counts how often entries were removed or marked stale. What was asked of a remote before that must not undo it
    /// by being kept after it, and nobody who asks after it may be answered with it.
    private let epoch = Lock(0)

    /// - Parameter farther: the levels after memory, nearest first.
    init(memory: any VolatileDataSourceContract, farther: [CacheLevel]) {
        self.memory = memory
        self.farther = farther
    }

    /// The number of the epoch now.
    var currentEpoch: Int { epoch.withLock { $0 } }

    /// To be called before anything is removed or marked stale.
    func beginEpoch() { epoch.withLock { $0 += 1 } }

    /// To be looked at before something is read that is to be promoted.
    var now: Moment { Moment(removals: memory.removals, epoch: currentEpoch) }

    /// Keeps what was asked for in an epoch, unless that is over. Memory first: whoever sees the answer finds it there.
    func save(_ change: LocalChange, askedIn epoch: Int) {
        self.epoch.withLock {
            guard $0 == epoch else { return }
            memory.save(change)
            for level in farther { level.entries.save(change) }
        }
    }

    /// Puts what a level had into those before it, unless something was removed since the moment before it was read.
    func promote(_ changes: [LocalChange], before index: Int, since moment: Moment) {
        for change in changes { memory.promote(change, since: moment.removals) }
        epoch.withLock {
            guard $0 == moment.epoch, memory.removals == moment.removals else { return }
            for change in changes { for level in farther[..<index] { level.entries.save(change) } }
        }
    }

    /// Puts an item of a lower level into memory, unless something was removed since the moment before it was read.
    func promote(_ item: ItemEntity, since moment: Moment) { memory.promote(item, since: moment.removals) }

    /// Drops the items of pages that are older than those in the levels before `index`. Memory checks this itself; the
    /// file does not. Single items need no check: they are promoted only because those levels had none that was enough.
    func newer(_ changes: [LocalChange], before index: Int) async -> [LocalChange] {
        guard index > 0, changes.contains(where: { $0.page != nil }) else { return changes }
        var newer: [LocalChange] = []
        for change in changes {
            var items = Array(change.items)
            for level in farther[..<index] {
                guard let kept = try? await level.entries.items(items.map(\.key)) else { continue }
                items = zip(items, kept).filter { new, old in old.map { $0.fetchedAt <= new.fetchedAt } ?? true }
                    .map(\.0)
            }
            newer.append(LocalChange(items: items, page: change.page))
        }
        return newer
    }
}
