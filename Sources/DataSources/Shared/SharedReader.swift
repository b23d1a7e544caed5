import Model
import Redis
import System

/// Reads entries from the shared level and decides whether they may be used.
struct SharedReader: Sendable {
    private typealias Decode<Entity: SharedEntity> =
        (NamedEntry, [UInt8]) -> Result<SharedValue.Decoded<Entity>, SharedValue.Fault>?

    let space: SharedSpace
    let counts = ListCounts()

    /// Reads items in the order of their keys; nil for one that is missing, rejected or not shared.
    ///
    /// - Parameter isSecond: whether these items were read before, so that rejected values are already counted.
    func items(_ keys: [ItemKey], isSecond: Bool = false) async -> [ItemEntity?] {
        await read(keys.map { .item($0) }, isSecond) { entry, bytes in
            guard case .item(let key) = entry.key else { return nil }
            return SharedValue.decode(key, bytes, name: entry.name, names: space.names, now: space.clock.now())
        }
    }

    /// Reads a page with its items.
    func page(_ key: PageKey, isSecond: Bool = false) async -> StoredPage? {
        let pages: [PageEntity?] = await read([.page(key)], isSecond) { entry, bytes in
            SharedValue.decode(key, bytes, name: entry.name, names: space.names, now: space.clock.now())
        }
        guard var page = pages.first ?? nil else { return nil }
        counts.learn(page)
        if counts.isOutdated(page) { page.isInvalidated = true }
        let found = await items((0..<page.ids.count).map { page.itemKey($0) }, isSecond: isSecond)
        var items: [ItemEntity] = []
        for item in found {
            guard let item else { return nil }
            items.append(item)
        }
        return StoredPage(page: page, items: PackedItems(items))
    }

    /// Reads an item without a task.
    ///
    /// - Parameter then: called once, with nil for an item that is missing or rejected.
    /// - Returns: false if the item is not shared. `then` is not called in that case.
    func item(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool {
        let lookup = Lookup([.item(key)], in: space)
        guard !lookup.keys.isEmpty else { return false }
        space.server.send(lookup.commands) { [self] outcome in
            let items: [ItemEntity?] = entities(of: lookup, try? outcome.get(), false) { entry, bytes in
                SharedValue.decode(key, bytes, name: entry.name, names: space.names, now: space.clock.now())
            }
            then(items.first ?? nil)
        }
        return true
    }

    private func read<Entity: SharedEntity>(
        _ keys: [EntryKey], _ isSecond: Bool, decode: Decode<Entity>
    ) async -> [Entity?] {
        let lookup = Lookup(keys, in: space)
        guard !lookup.keys.isEmpty else { return keys.map { _ in nil } }
        return entities(of: lookup, try? await space.server.send(lookup.commands), isSecond, decode: decode)
    }

    /// Returns the entities in the replies to a lookup that may be used.
    ///
    /// - Parameter replies: nil if the server did not answer.
    private func entities<Entity: SharedEntity>(
        of lookup: Lookup, _ replies: [RESPValue]?, _ isSecond: Bool, decode: Decode<Entity>
    ) -> [Entity?] {
        guard let replies, space.condition.note(replies, of: .reading), let found = lookup.values(in: replies) else {
            return lookup.entries.map { _ in nil }
        }
        let current = found.prefix(lookup.generationKeys.count).map(\.generations)
        var values = found.dropFirst(current.count).makeIterator()
        return lookup.entries.map { entry in
            guard let entry, let value = values.next(), case .text(let bytes) = value,
                let index = lookup.generationKeys.firstIndex(of: entry.generations),
                let generations = current[index], !SharedValue.isTombstone(bytes)
            else { return nil }
            switch decode(entry, bytes) {
            case .success(let value)?:
                guard let isStale = isStale(value, entry, generations) else { return nil }
                var entity = value.entity
                entity.isInvalidated = isStale
                return entity
            case .failure?: if !isSecond { space.counters.rejected.count() }
            case nil: break
            }
            return nil
        }
    }

    /// Whether a value is stale under the current generations of its resource; nil if it was removed.
    private func isStale(
        _ value: SharedValue.Decoded<some SharedEntity>, _ entry: NamedEntry, _ current: SharedGenerations
    ) -> Bool? {
        guard value.generations.removed == current.removed else { return nil }
        return value.isStale || value.generations.invalidated != current.invalidated
            || space.unconfirmed.concern(entry.resource, fetchedAt: value.entity.fetchedAt)
    }
}

extension SharedReader {
    /// The keys of entries and of their generations, which are read in one round trip.
    fileprivate struct Lookup: Sendable {
        /// The number of values in one reply. Even the largest ones fit the size limit of a reply.
        private static let batch = 12

        /// The entries in the order of the request; nil for one that is not shared.
        let entries: [NamedEntry?]
        /// The keys of the generations of `entries`, each once.
        let generationKeys: [String]
        /// `generationKeys`, then the keys of `entries`; empty if none of them is shared.
        let keys: [String]

        init(_ keys: [EntryKey], in space: SharedSpace) {
            entries = keys.map { space.named($0) }
            var generationKeys: [String] = []
            for case let entry? in entries where !generationKeys.contains(entry.generations) {
                generationKeys.append(entry.generations)
            }
            self.generationKeys = generationKeys
            self.keys = generationKeys + entries.compactMap { $0?.name.key }
        }

        var commands: [RedisCommand] {
            stride(from: 0, to: keys.count, by: Self.batch).map { start in
                var arguments = [Array("MGET".utf8)]
                arguments.reserveCapacity(1 + Self.batch)
                for key in keys[start..<min(start + Self.batch, keys.count)] { arguments.append(Array(key.utf8)) }
                return RedisCommand(arguments)
            }
        }

        /// The values of `keys`, null for one that is missing or not a string; nil if the number of values is wrong.
        func values(in replies: [RESPValue]) -> [RESPValue]? {
            let values = replies.flatMap { reply in
                if case .array(let values) = reply { values } else { [RESPValue]() }
            }
            return values.count == keys.count ? values : nil
        }
    }
}

/// The entities that values hold.
protocol SharedEntity: Sendable {
    var fetchedAt: Timestamp { get }
    var isInvalidated: Bool { get set }
}

extension ItemEntity: SharedEntity {}

extension PageEntity: SharedEntity {}

extension RESPValue {
    /// Generations from their text; nil if the reply is something else.
    var generations: SharedGenerations? { if case .text(let bytes) = self { SharedGenerations(bytes) } else { nil } }
}

/// The item count of each list by its newest page. An older page with another count is stale, as in the other levels.
final class ListCounts: Sendable {
    private struct List: Hashable {
        let resource: ResourceKey
        let list: String

        init(_ page: PageEntity) { (resource, list) = (page.key.resource, page.key.list) }
    }

    private static let maxCount = 10_000

    private let known = Lock<[List: (count: Int, fetchedAt: Timestamp)]>([:])

    /// Learns the count of a page's list, unless a newer page is known.
    func learn(_ page: PageEntity) {
        guard let count = page.count else { return }
        known.withLock { known in
            if let newest = known[List(page)], newest.fetchedAt >= page.fetchedAt { return }
            if known.count >= Self.maxCount { known.removeAll(keepingCapacity: true) }
            known[List(page)] = (count, page.fetchedAt)
        }
    }

    /// Whether a newer page of the list has another count.
    func isOutdated(_ page: PageEntity) -> Bool {
        guard let count = page.count, let newest = known.withLock({ $0[List(page)] }) else { return false }
        return newest.fetchedAt >= page.fetchedAt && newest.count != count
    }
}
