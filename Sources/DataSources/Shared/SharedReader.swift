import System

/// Reads values, and judges whether they may be used.
struct SharedReader: Sendable {
    /// How many values one reply has at most: the largest ones are together smaller than a reply may be.
    private static let batch = 12

    let space: SharedSpace
    /// What pages have said of their lists' counts.
    let counts = ListCounts()

    /// Which entries there are, in the order of their keys; nil where one is missing, must not be used, or is not
    /// shared.
    ///
    /// - Parameter isSecond: whether it was looked for these before, and what is wrong with them was counted.
    func items(_ keys: [ItemKey], isSecond: Bool = false) async -> [ItemEntity?] {
        await read(keys.map { .item($0) }, isSecond) { entry, bytes in
            guard case .item(let key) = entry.key else { return nil }
            return SharedValue.decode(key, bytes, name: entry.name, names: space.names, now: space.clock.now())
        }
    }

    /// A page with its items.
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

    private func read<Entity: SharedEntity>(
        _ keys: [EntryKey], _ isSecond: Bool,
        decode: (NamedEntry, [UInt8]) -> Result<SharedValue.Decoded<Entity>, SharedValue.Fault>?
    ) async -> [Entity?] {
        let entries = keys.map { space.named($0) }
        var marks: [String] = []
        for entry in entries.lazy.compactMap({ $0 }) where !marks.contains(entry.marks.key) {
            marks.append(entry.marks.key)
        }
        guard !marks.isEmpty else { return keys.map { _ in nil } }
        let wanted = marks + entries.compactMap { $0?.name.key }
        guard let found = await values(of: wanted) else { return keys.map { _ in nil } }
        let current = Dictionary(zip(marks, found.map(\.marks))) { first, _ in first }
        var values = found.dropFirst(marks.count).makeIterator()
        return entries.map { entry in
            guard let entry, case .text(let bytes)? = values.next(), let marks = current[entry.marks.key] ?? nil
            else { return nil }
            switch decode(entry, bytes) {
            case .success(let value)?:
                guard let isStale = judge(value, entry, marks) else { return nil }
                var entity = value.entity
                entity.isInvalidated = isStale
                return entity
            case .failure?: if !isSecond { space.counters.rejected.count() }
            case nil: break
            }
            return nil
        }
    }

    /// What is kept under these names; null for what is not, or is of another type than it should be.
    private func values(of names: [String]) async -> [RESPValue]? {
        let commands = stride(from: 0, to: names.count, by: Self.batch).map { start in
            RedisCommand((["MGET"] + names[start..<min(start + Self.batch, names.count)]).map { Array($0.utf8) })
        }
        guard let replies = try? await space.server.send(commands), space.condition.note(replies, of: .reading) else {
            return nil
        }
        let values = replies.flatMap { reply in if case .array(let values) = reply { values } else { [RESPValue]() } }
        return values.count == names.count ? values : nil
    }

    /// Whether a value is stale; nil where it was removed.
    private func judge(
        _ value: SharedValue.Decoded<some SharedEntity>, _ entry: NamedEntry, _ marks: SharedMarks
    ) -> Bool? {
        guard value.removed == marks.removed else { return nil }
        let outranked = space.removals.outranks(entry.name, marks: entry.marks, askedAt: value.askedAt)
        if outranked == true { return nil }
        return value.isStale || outranked == false || value.invalidated != marks.invalidated
    }
}

/// What a value may hold.
protocol SharedEntity: Sendable {
    var fetchedAt: Timestamp { get }
    var isInvalidated: Bool { get set }
}

extension ItemEntity: SharedEntity {}

extension PageEntity: SharedEntity {}

extension RESPValue {
    /// The marks that a reply is; nil where there are none.
    var marks: SharedMarks? { if case .text(let bytes) = self { SharedMarks(bytes) } else { nil } }
}

/// What the newest page of each list has said of how many items it has: older pages that say otherwise are stale, as
/// they are in the levels of one machine.
final class ListCounts: Sendable {
    private struct List: Hashable {
        let resource: ResourceKey
        let list: String

        init(_ page: PageEntity) { (resource, list) = (page.key.resource, page.key.list) }
    }

    private static let most = 10_000

    private let known = Lock<[List: (count: Int, fetchedAt: Timestamp)]>([:])

    /// Takes what a page says, unless a newer one is known.
    func learn(_ page: PageEntity) {
        guard let count = page.count else { return }
        known.withLock { known in
            if let newest = known[List(page)], newest.fetchedAt >= page.fetchedAt { return }
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[List(page)] = (count, page.fetchedAt)
        }
    }

    /// Whether a newer page says otherwise.
    func isOutdated(_ page: PageEntity) -> Bool {
        guard let count = page.count, let newest = known.withLock({ $0[List(page)] }) else { return false }
        return newest.fetchedAt >= page.fetchedAt && newest.count != count
    }
}
