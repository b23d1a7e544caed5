import Model
import Redis
import System

/// Reads entries from the shared level, and decides whether they may be used.
struct SharedReader: Sendable {
    let context: SharedContext
    let counts = ListCounts()

    /// Reads several entries. The result has one element per key, in the order of the keys: nil if the entry is
    /// missing, rejected or not shared.
    ///
    /// - Parameter isReread: whether the caller has just read the same entries. If so, rejected values are not counted
    ///   a second time.
    func entries<Key: CacheKey>(_ keys: [Key], isReread: Bool = false) async -> [Key.Entry?] {
        var found = Found()
        found.add(await values(of: keys.map(\.name), isReread))
        let parts = found.pages.values.flatMap(\.itemKeys)
        if !parts.isEmpty { found.add(await values(of: parts.map(\.name), isReread)) }
        return keys.map { $0.entry(in: &found) }
    }

    /// Reads an item from the shared level and passes it to a callback. Creates no Swift task.
    ///
    /// - Parameter then: called once, with nil if the item is missing or rejected.
    /// - Returns: false if the item is not shared. `then` is not called in that case.
    func item(_ key: ItemKey, then: @escaping @Sendable (ItemEntity?) -> Void) -> Bool {
        let lookup = Lookup([.item(key)], in: context.table)
        guard !lookup.keys.isEmpty else { return false }
        context.server.send(lookup.commands) { [self] outcome in
            if case .item(let item)? = values(of: lookup, try? outcome.get(), false).first {
                then(item)
            } else {
                then(nil)
            }
        }
        return true
    }

    private func values(of keys: [EntryKey], _ isReread: Bool) async -> [Value] {
        let lookup = Lookup(keys, in: context.table)
        guard !lookup.keys.isEmpty else { return [] }
        return values(of: lookup, try? await context.server.send(lookup.commands), isReread)
    }

    /// Decodes the Redis server's replies to a lookup. Leaves out invalid and removed values.
    ///
    /// - Parameter replies: the server's replies to the commands of the lookup; nil if the server did not answer.
    private func values(of lookup: Lookup, _ replies: [RESPValue]?, _ isReread: Bool) -> [Value] {
        guard let replies, context.condition.note(replies, of: .reading), let found = lookup.values(in: replies) else {
            return []
        }
        let current = found.prefix(lookup.generationKeys.count).map(\.generations)
        var values = found.dropFirst(current.count).makeIterator()
        return lookup.entries.compactMap { entry in
            guard let entry, let value = values.next(), case .text(let bytes) = value,
                let index = lookup.generationKeys.firstIndex(of: entry.generations),
                let generations = current[index], !SharedValue.isTombstone(bytes)
            else { return nil }
            do throws(SharedValue.Fault) {
                return try self.value(of: entry, bytes, generations)
            } catch {
                if !isReread { context.counters.rejected.count() }
                return nil
            }
        }
    }

    /// Decodes the stored value of an entry, and marks the entry as invalidated if it is stale. Returns nil if the
    /// entry was removed after its fetch.
    private func value(
        of entry: NamedEntry, _ bytes: [UInt8], _ current: SharedGenerations
    ) throws(SharedValue.Fault) -> Value? {
        let (names, now) = (context.table.names, context.clock.now())
        switch entry.key {
        case .item(let key):
            let value = try SharedValue.decode(key, bytes, name: entry.name, names: names, now: now).get()
            var item = value.entity
            guard let isStale = isStale(value, fetchedAt: item.fetchedAt, entry, current) else { return nil }
            item.isInvalidated = isStale
            return .item(item)
        case .page(let key):
            let value = try SharedValue.decode(key, bytes, name: entry.name, names: names, now: now).get()
            var page = value.entity
            guard let isStale = isStale(value, fetchedAt: page.fetchedAt, entry, current) else { return nil }
            counts.learn(page)
            page.isInvalidated = isStale || counts.isOutdated(page)
            return .page(page)
        }
    }

    /// Returns whether an entry is stale. Returns nil if the resource's generations (`SharedGenerations`) show that the
    /// entry was removed.
    private func isStale(
        _ value: SharedValue.Decoded<some Sendable>, fetchedAt: Timestamp, _ entry: NamedEntry,
        _ current: SharedGenerations
    ) -> Bool? {
        guard value.generations.removed == current.removed else { return nil }
        return value.isStale || value.generations.invalidated != current.invalidated
            || context.unconfirmed.affect(entry.resource, fetchedAt: fetchedAt)
    }
}

extension SharedReader {
    private enum Value {
        case item(ItemEntity)
        case page(PageEntity)
    }

    /// The items and pages that were found in the shared level.
    private struct Found: EntryPlace {
        private(set) var items: [ItemKey: ItemEntity] = [:]
        private(set) var pages: [PageKey: PageEntity] = [:]

        mutating func add(_ values: [Value]) {
            for value in values {
                switch value {
                case .item(let item): items[item.key] = item
                case .page(let page): pages[page.key] = page
                }
            }
        }

        func item(_ key: ItemKey) -> ItemEntity? { items[key] }

        func page(_ key: PageKey) -> StoredPage? {
            guard let page = pages[key], let items = PackedItems(of: page, { items[$0] }) else { return nil }
            return StoredPage(page: page, items: items)
        }
    }
}

extension SharedReader {
    /// The Redis keys that are needed to read several entries: the keys of the entries, and the keys of their
    /// resources' generations. The generations (`SharedGenerations`) show whether an entry was removed or invalidated.
    fileprivate struct Lookup: Sendable {
        /// The maximum number of values that one command requests. The limit keeps each reply within the maximum reply
        /// size.
        private static let batch = 12

        /// The requested entries, in order; nil for an entry that is not shared.
        let entries: [NamedEntry?]
        /// The Redis keys of the resources' generations (`SharedGenerations`), without duplicates.
        let generationKeys: [String]
        /// All Redis keys to read: `generationKeys`, and then the keys of `entries`. Empty if no requested entry is
        /// shared.
        let keys: [String]

        init(_ keys: [EntryKey], in table: SharedNameTable) {
            entries = keys.map { table.entry($0) }
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

        /// Returns one value for each key, in the order of the keys. The value is null if the key is missing or does
        /// not hold a string. Returns nil if the number of values in the replies is wrong.
        func values(in replies: [RESPValue]) -> [RESPValue]? {
            let values = replies.flatMap { reply in
                if case .array(let values) = reply { values } else { [RESPValue]() }
            }
            return values.count == keys.count ? values : nil
        }
    }
}

extension RESPValue {
    /// The generations (`SharedGenerations`) that a reply contains; nil if the reply is malformed.
    var generations: SharedGenerations? { if case .text(let bytes) = self { SharedGenerations(bytes) } else { nil } }
}

/// Stores the total item count of each list, as reported by the most recently fetched page. An older page that reports
/// a different count is outdated, because the list has changed since then.
final class ListCounts: Sendable {
    private struct List: Hashable {
        let resource: ResourceKey
        let list: String

        init(_ page: PageEntity) { (resource, list) = (page.key.resource, page.key.list) }
    }

    private static let maxCount = 10_000

    private let known = Lock<[List: (count: Int, fetchedAt: Timestamp)]>([:])

    /// Stores the total item count that a page reports for its list, unless the stored count comes from a newer page.
    func learn(_ page: PageEntity) {
        guard let count = page.count else { return }
        known.withLock { known in
            if let newest = known[List(page)], newest.fetchedAt >= page.fetchedAt { return }
            if known.count >= Self.maxCount { known.removeAll(keepingCapacity: true) }
            known[List(page)] = (count, page.fetchedAt)
        }
    }

    /// Returns whether a newer page of the same list reports a different total item count.
    func isOutdated(_ page: PageEntity) -> Bool {
        guard let count = page.count, let newest = known.withLock({ $0[List(page)] }) else { return false }
        return newest.fetchedAt >= page.fetchedAt && newest.count != count
    }
}
