import DataSources
import Model
import System

/// Removes the items that a sync of the whole list has not found.
extension ListSyncer {
    /// The maximum number of items that one transaction removes.
    private static let batch = 500
    /// The maximum number of lost items that a sync requests by id. A lost item is in the local copy, but was not found
    /// in the list. If there are more lost items, the sync requests none of them.
    private static let maxConfirmed = 1000
    /// The maximum size of a local copy, in items, for which a sync may remove more than half of the items without the
    /// caller's consent.
    private static let minHeld = 100

    /// Removes the items that the sync has not found in the list. If a large list has lost more than half of its items,
    /// the sync marks the lost items as stale instead. They stay stale until a caller accepts the removals or the API
    /// lists them again.
    ///
    /// - Parameter mayMove: whether the sync may have missed an item because the item moved to another page.
    @_optimize(size)
    func removeAbsent(
        since start: Timestamp, mayMove: Bool, _ ticket: SyncTicket, _ answer: inout SyncAnswer
    ) async throws(SyncError) {
        let isWholeResource = request.filters.isEmpty
        // A recent fetch of an item by its id shows that the item exists, but not that a filtered list contains it.
        let start = isWholeResource ? start : Timestamp(milliseconds: .max)
        let absent = try await absent(from: 1, before: start, limit: Self.maxConfirmed, ticket)
        guard absent.count > 0 else { return answer.deletions = .walked }
        let size = ticket.state.items
        let isLarge = size > Self.minHeld && absent.count * 2 > size
        if isLarge || ticket.state.isHeld, !request.acceptsRemovals {
            try await local { () async throws(LocalDataError) in
                try await store.invalidateAbsent(ticket, before: start)
            }
            cache.forget(.everything)
            answer.held = absent.count
            return warn(
                "sync: '\(set.resource.resourceName)': the list has lost \(absent.count) of \(size) items; they were kept"
                    + " and marked stale; use --accept-removals to remove them")
        }
        if mayMove, isWholeResource, source.canConfirm, absent.count <= Self.maxConfirmed {
            try await confirm(absent.keys, since: start, ticket, &answer)
        } else {
            // The API is not asked about these items. If items can move between pages, an item is removed only if two
            // runs have not found it.
            let runs = mayMove ? 2 : 1
            while true {
                let keys = try await self.absent(from: runs, before: start, limit: Self.batch, ticket).keys
                // An item that a filtered list does not contain may still exist.
                let removed = try await remove(keys, since: start, ticket, deletes: isWholeResource, &answer)
                if removed == 0 { break }
            }
        }
        let left = try await self.absent(from: 1, before: start, limit: 1, ticket).count
        answer.deletions = left == 0 ? .walked : .unknown
    }

    func absent(
        from runs: Int, before start: Timestamp, limit: Int, _ ticket: SyncTicket
    ) async throws(SyncError) -> (count: Int, keys: [ItemKey]) {
        try await local { () async throws(LocalDataError) in
            try await store.absent(ticket, from: runs, before: start, limit: limit)
        }
    }

    /// Asks the API for each item of the local copy that the sync has not found in the list. Items that no longer exist
    /// are removed from the local copy and the cache. Items that still exist stay in the cache. Such an item is removed
    /// from the local copy if two complete syncs in a row have not found it in the list.
    @_optimize(size)
    private func confirm(
        _ keys: [ItemKey], since start: Timestamp, _ ticket: SyncTicket, _ answer: inout SyncAnswer
    ) async throws(SyncError) {
        // If the number of requests is limited, each run asks for other items.
        let order = request.maxRequests == nil ? keys : keys.shuffled()
        let asked = order.map { ItemKey(resource: $0.resource, id: $0.id) }
        let epoch = cache.currentEpoch
        let askedAt = clock.now()
        let left = request.maxRequests.map { $0 - answer.requests }
        let items = await source.fetchItems(asked, maxRequests: left, isProof: true)
        if Task.isCancelled { throw .repository(.left) }
        answer.requests += items.requests
        if let failure = items.failure {
            warn(
                "sync: '\(set.resource.resourceName)': cannot check whether an item that the list lacks still exists: "
                    + "\(failure); the copy keeps the item, and the next sync checks again")
        }
        let (missing, found) = (Set(items.missing.map(\.id)), Set(items.found.map(\.key.id)))
        let outside = try await absent(from: 2, before: start, limit: Self.maxConfirmed, ticket).keys
        try await remove(keys.filter { missing.contains($0.id) }, since: start, ticket, deletes: true, &answer)
        try await remove(outside.filter { found.contains($0.id) }, since: start, ticket, deletes: false, &answer)
        if !items.found.isEmpty {
            var change = LocalChange(items: items.found)
            change.askedAt = askedAt
            cache.save(change, askedIn: epoch)
        }
        // The request limit has ended the run.
        if let left, items.requests >= left, items.hasFailed { answer.isComplete = false }
    }

    /// Removes items from the local copy of the list. Returns the number of removed items.
    ///
    /// - Parameter deletes: whether to delete the items from the cache, too. Otherwise the cache marks the items as
    ///   stale.
    @discardableResult
    @_optimize(size)
    private func remove(
        _ keys: [ItemKey], since start: Timestamp, _ ticket: SyncTicket, deletes: Bool, _ answer: inout SyncAnswer
    ) async throws(SyncError) -> Int {
        if keys.isEmpty { return 0 }
        let removed = try await local { () async throws(LocalDataError) in
            try await store.remove(keys, ticket, before: start, deletes: deletes)
        }
        guard let removed else { throw .taken }
        cache.syncRemoved(removed, isDeleted: deletes)
        answer.record(.removed, removed, limit: request.maxChanges)
        return removed.count
    }
}
