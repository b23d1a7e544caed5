import DataSources
import Model
import System

/// The removal of items that a complete run has not found in the list.
extension ListSyncer {
    /// The number of items that one transaction removes.
    private static let batch = 500
    /// The maximum number of items to ask the API for before they are removed.
    private static let maxConfirmed = 1000
    /// The size of a set from which a run may not remove more than half of the items.
    private static let minHeld = 100

    /// Removes the items of the set that the run has not seen. If they are more than half of a large set, they become
    /// stale instead.
    ///
    /// - Returns: false if the request limit does not allow to confirm all of them. The next run continues.
    func removeAbsent(
        since start: Timestamp, _ ticket: SyncTicket, _ answer: inout SyncAnswer
    ) async throws(SyncError) -> Bool {
        let absent = try await absent(from: 1, before: start, limit: Self.maxConfirmed, ticket)
        let size = ticket.state.items
        if size > Self.minHeld, absent.count * 2 > size, !request.acceptsRemovals {
            try await local { () async throws(LocalDataError) in
                try await store.invalidateAbsent(ticket, before: start)
            }
            cache.forget(.everything)
            answer.held = absent.count
            warn(
                "sync: '\(set.resource.resourceName)': the list has lost \(absent.count) of \(size) items; they were kept"
                    + " and marked stale; use --accept-removals to remove them")
            return true
        }
        answer.deletions = .walked
        guard absent.count > 0 else { return true }
        let isWholeResource = request.filters.isEmpty
        if source.shifts, isWholeResource, source.canConfirm, absent.count <= Self.maxConfirmed {
            return try await confirm(absent.keys, since: start, ticket, &answer)
        }
        // Without a confirmation, an item of a list that shifts must be absent from two runs.
        let runs = source.shifts ? 2 : 1
        while true {
            let keys = try await self.absent(from: runs, before: start, limit: Self.batch, ticket).keys
            // An item that a filtered list does not contain may still exist.
            guard try await remove(keys, ticket, deletes: isWholeResource) > 0 else { break }
            answer.record(.removed, keys, limit: request.maxChanges)
        }
        if runs > 1, try await self.absent(from: 1, before: start, limit: 1, ticket).count > 0 {
            answer.deletions = .unknown
        }
        return true
    }

    private func absent(
        from runs: Int, before start: Timestamp, limit: Int, _ ticket: SyncTicket
    ) async throws(SyncError) -> (count: Int, keys: [ItemKey]) {
        try await local { () async throws(LocalDataError) in
            try await store.absent(ticket, from: runs, before: start, limit: limit)
        }
    }

    /// Asks the API for each item, and removes the items that it does not have. An existing item that two whole runs
    /// have not found in the list leaves the set, and stays in the cache.
    ///
    /// - Returns: whether the request limit allowed to ask for all items.
    private func confirm(
        _ keys: [ItemKey], since start: Timestamp, _ ticket: SyncTicket, _ answer: inout SyncAnswer
    ) async throws(SyncError) -> Bool {
        let left = request.maxRequests.map { max(0, $0 - answer.requests) * source.maxIDs } ?? keys.count
        let items = await source.fetchItems(keys.prefix(left).map { ItemKey(resource: $0.resource, id: $0.id) })
        if Task.isCancelled { throw .repository(.left) }
        answer.requests += items.requests
        let (missing, found) = (Set(items.missing.map(\.id)), Set(items.found.map(\.key.id)))
        let outside = try await absent(from: 2, before: start, limit: Self.maxConfirmed, ticket).keys
        try await remove(keys.filter { missing.contains($0.id) }, ticket, deletes: true)
        answer.record(.removed, keys.filter { missing.contains($0.id) }, limit: request.maxChanges)
        try await remove(outside.filter { found.contains($0.id) }, ticket, deletes: false)
        if !items.found.isEmpty { cache.save(LocalChange(items: items.found), askedIn: cache.currentEpoch) }
        if items.hasFailed { answer.deletions = .unknown }
        guard left < keys.count else { return true }
        answer.deletions = .unknown
        let rest = SyncedPart(items: [], position: SyncPosition(page: nil, start: start))
        let stored = try await local { () async throws(LocalDataError) in try await store.store(rest, ticket) }
        guard stored != nil else { throw .taken }
        return false
    }

    /// Removes items from the set and the cache. Returns the number of removed members of the set.
    @discardableResult
    private func remove(_ keys: [ItemKey], _ ticket: SyncTicket, deletes: Bool) async throws(SyncError) -> Int {
        if keys.isEmpty { return 0 }
        let removed = try await local { () async throws(LocalDataError) in
            try await store.remove(keys, ticket, deletes: deletes)
        }
        guard let removed else { throw .taken }
        cache.syncRemoved(keys, isDeleted: deletes)
        return removed
    }
}
