import Model
import System

/// Stores sets of items that are kept as local copies of lists.
///
/// Each call is one transaction: after a crash, the store contains either all of its effects or none. A call with a
/// ticket that another run has taken over changes nothing and returns nil.
public protocol SyncStoreContract: Sendable {
    /// Starts a run of a set, and adds the set if it is new. Returns nil if another run has the set. A run loses its
    /// set ten seconds after its last call.
    ///
    /// - Throws: `LocalDataError` if the store cannot be used.
    func begin(_ set: SyncSet) async throws(LocalDataError) -> SyncTicket?

    /// Records that the run is still active, so that it keeps its set.
    func beat(_ ticket: SyncTicket) async

    /// Prepares a set for a run that reads the list from its first page. The run has then seen no item.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    func restart(_ ticket: SyncTicket) async throws(LocalDataError)

    /// Stores a part of the list, and marks its items as seen by the run. Also removes the deleted items of the part,
    /// and stores its position and its mark.
    ///
    /// - Parameter isOutdated: whether entries of the cache were removed or became stale since the part was requested.
    ///   If so, nothing is stored. The closure is called within the transaction.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    func store(
        _ part: SyncedPart, _ ticket: SyncTicket, unless isOutdated: @escaping @Sendable () -> Bool
    ) async throws(LocalDataError) -> SyncedChanges?

    /// Returns the number of items in the set that the run has seen.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    func seenCount(_ ticket: SyncTicket) async throws(LocalDataError) -> Int

    /// Returns the items of the set that the run has not seen and that were fetched before `start`, ordered by their
    /// number in the store.
    ///
    /// - Parameters:
    ///   - runs: the number of whole runs in which the items must be absent: 1 for this run, 2 for this and the last.
    ///   - limit: the maximum number of items to return.
    /// - Throws: `LocalDataError` if the store cannot be read.
    func absent(
        _ ticket: SyncTicket, from runs: Int, before start: Timestamp, limit: Int
    ) async throws(LocalDataError) -> (count: Int, keys: [ItemKey])

    /// Removes items from the set, unless the run has seen them or they were fetched at `start` or later.
    ///
    /// - Parameter deletes: whether the items are also removed from the cache. Otherwise they become stale.
    /// - Returns: the removed items.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    func remove(
        _ keys: [ItemKey], _ ticket: SyncTicket, before start: Timestamp, deletes: Bool
    ) async throws(LocalDataError) -> [ItemKey]?

    /// Marks the items that the run has not seen, and that were fetched before `start`, as stale.
    ///
    /// - Throws: `LocalDataError` if the store cannot be changed.
    func invalidateAbsent(_ ticket: SyncTicket, before start: Timestamp) async throws(LocalDataError)

    /// Ends a run, so that another run can start.
    ///
    /// - Returns: the new state of the set.
    /// - Throws: `LocalDataError` if the store cannot be changed.
    func end(_ ticket: SyncTicket, _ end: SyncEnd) async throws(LocalDataError) -> SyncState?

    /// Returns the states of all sets.
    ///
    /// - Throws: `LocalDataError` if the store cannot be read.
    func states() async throws(LocalDataError) -> [SyncState]
}
