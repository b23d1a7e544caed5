import Model
import System

/// A list that has a local copy in the cache file. Each combination of a resource and filters has its own copy, which
/// sync runs update.
public struct SyncSet: Hashable, Sendable {
    public let resource: ResourceKey
    /// The filters of the list as canonical JSON (`PageRequest.canonicalList`).
    public let list: String

    public init(resource: ResourceKey, list: String) {
        self.resource = resource
        self.list = list
    }
}

/// The stored state of a list's local copy, as the last sync run left it.
public struct SyncState: Equatable, Sendable {
    public let set: SyncSet
    /// The number of items in the local copy.
    public var items = 0
    /// The start of the last completed sync run; nil if there was none.
    public var syncedAt: Timestamp?
    /// The start of the last sync run that is known to have read all items of the list. Nil if there was no such run.
    public var wholeAt: Timestamp?
    /// Whether the local copy has lost items since the last sync run, for example because they were evicted or damaged.
    public var isPartial = false
    /// Whether the last sync run kept items that it did not find in the list. A run does so if it would otherwise
    /// remove more than half of the items.
    public var isHeld = false
    /// The number of sync runs that are known to have read all items of the list.
    public var generation = 0
    /// The page of the list at which the next sync run continues; nil if that run starts at the first page.
    public var position: SyncPosition?
    /// The point up to which the local copy contains all changes of the list. Nil if the next sync run must read the
    /// whole list.
    public var mark: SyncMark?

    public init(set: SyncSet) { self.set = set }
}

extension SyncState {
    /// Whether the local copy is known to contain all items of the list. True if the last completed sync run found all
    /// items and removed all others. False if a later run was interrupted, or if the cache has since lost an item.
    public var isWhole: Bool {
        let isKnown = mark.map(\.isComplete) ?? (syncedAt == wholeAt)
        return syncedAt != nil && isKnown && !isPartial && !isHeld && position == nil
    }
}

/// A point in the history of a list's changes, such as a time. The next sync run requests only the changes after this
/// point.
public struct SyncMark: Equatable, Sendable {
    /// The update time, sequence number or change token, as the API writes it.
    public var value: String
    /// The hash of the catalog's `sync` declaration at the time when the API returned `value`. If the declaration has
    /// changed since, `value` is no longer valid.
    public var declaration: String
    /// The start of the last sync run that has read the whole list, not only changes.
    public var wholeAt: Timestamp
    /// Whether the local copy was known to contain all items of the list when this `SyncMark` was stored.
    public var isComplete: Bool
    /// Whether the local copy was known to contain all items that the list had at the point `value`. Unlike
    /// `isComplete`, this can be true for a copy with items that were deleted later. An example is the copy after a run
    /// that continued an interrupted run.
    public var hasAllItems: Bool

    public init(
        value: String, declaration: String, wholeAt: Timestamp, isComplete: Bool, hasAllItems: Bool? = nil
    ) {
        self.value = value
        self.declaration = declaration
        self.wholeAt = wholeAt
        self.isComplete = isComplete
        self.hasAllItems = hasAllItems ?? isComplete
    }
}

/// The point in a list at which an interrupted sync run stopped. The next sync run continues there.
public struct SyncPosition: Equatable, Sendable {
    /// The next page of the list to read.
    public let page: PageToken
    /// The time at which the sync run requested the first page of the list.
    public let start: Timestamp
    /// The time up to which the pages of the list contain all changes. The pages may lack later changes, so an update
    /// time in the mark must not be later. Nil if the catalog's `sync` declares no update times or sequence numbers.
    public var limit: Timestamp?
    /// Facts about the pages before `page`, such as whether they contain an item twice.
    public var totals: ListTotals
    /// The value that the mark (`SyncMark.value`) gets when a sync run reaches the end of the list; nil if no value was
    /// found yet.
    public var mark: String?
    /// The hash of the catalog's `sync` declaration. Nil if the catalog declares no `sync` for the list.
    public var declaration: String?

    public init(page: PageToken, start: Timestamp, totals: ListTotals = ListTotals()) {
        self.page = page
        self.start = start
        self.totals = totals
    }
}

/// Facts about the pages that a sync run has read. They show whether the pages contain all items of the list.
public struct ListTotals: Equatable, Sendable {
    /// Whether a page contains an item that could not be stored.
    public var lacksItems = false
    /// Whether the pages of the list contain an item twice.
    public var hasRepeated = false
    /// Whether two pages of the list report different total item counts.
    public var hasChanged = false
    /// Whether a page contains elements that are not items of the list. The total item count of the API may include
    /// such elements.
    public var omitsElements = false
    /// The total item count of the list, as reported by the last page that was read; nil if unknown.
    public var count: Int?

    public init() {}
}

/// The permission of a sync run to change a local copy. Only one run at a time has this permission.
public struct SyncTicket: Equatable, Sendable {
    /// The state of the local copy when the sync run started.
    public private(set) var state: SyncState
    /// The number that identifies the local copy in the cache file.
    let number: Int64
    /// The number of the sync run (`SyncHolder`). If the cache file contains a different number, another run has
    /// taken over the local copy.
    let holder: Int64

    public init(state: SyncState, number: Int64, holder: Int64) {
        self.state = state
        self.number = number
        self.holder = holder
    }

    /// A copy of the ticket without the mark of the local copy. A sync run continues with this copy if the API refuses
    /// the mark.
    public var withoutMark: SyncTicket {
        var ticket = self
        ticket.state.mark = nil
        return ticket
    }
}

/// The contents of one API answer, which a sync run stores in one transaction.
public struct SyncedPart: Sendable {
    public let items: [ItemEntity]
    /// The pages of the list that the answer contains. Empty if the sync run requested only the changes of the list.
    public let pages: [PageEntity]
    /// The items that the API reports as deleted. They are removed from all local copies and from the cache file.
    public var removed: [ItemKey] = []
    /// The page at which the next sync run continues if this run ends after the current answer. Nil at the end of the
    /// list.
    public let position: SyncPosition?
    /// The new mark of the local copy; nil for no mark. Once these contents are stored, the copy contains all changes
    /// of the list up to the mark.
    public var mark: SyncMark?
    /// The maximum age of an unchanged stored item, in milliseconds. An older item is written again, so that it has a
    /// recent fetch time.
    public let maxAge: Milliseconds

    public init(
        items: [ItemEntity], pages: [PageEntity] = [], position: SyncPosition? = nil, maxAge: Milliseconds = .max
    ) {
        self.items = items
        self.pages = pages
        self.position = position
        self.maxAge = maxAge
    }
}

/// The changes to a local copy that were made when the contents of one API answer were stored.
public struct SyncedChanges: Equatable, Sendable {
    /// The items that were added to the local copy.
    public var added: [ItemKey] = []
    /// The items of the local copy whose JSON has changed.
    public var changed: [ItemKey] = []
    /// The items that were written to the cache file. Unchanged items are written only if they are stale or older than
    /// `SyncedPart.maxAge`.
    public var written: [ItemEntity] = []
    /// The items that were removed from the local copy.
    public var removed: [ItemKey] = []
    /// The items that were deleted from the cache file, including items that were not in the local copy.
    public var deleted: [ItemKey] = []
    /// Whether the answer was outdated and therefore not stored: cache entries were removed or became stale after the
    /// request.
    public var isOutdated = false
    /// The number of items in this answer that the sync run had already seen.
    public var repeated = 0

    public init() {}
}

/// The result of a sync run, which is stored when the run ends.
public struct SyncEnd: Equatable, Sendable {
    /// The start of the sync run; nil if the run was not completed.
    public var syncedAt: Timestamp?
    /// Whether the sync run is known to have read all items of the list.
    public var isWhole = false
    /// The new value of `SyncState.wholeAt` after a run that read only changes; nil to keep the current value.
    public var wholeAt: Timestamp?
    /// Whether the sync run kept items that it did not find in the list. A run does so if it would otherwise remove
    /// more than half of the items.
    public var isHeld = false
    /// Whether the next sync run continues at the stored page of the list. If not, it starts at the first page.
    public var continues = true
    public var mark = MarkChange.keep

    /// A change of the `SyncMark` of the local copy at the end of a sync run.
    public enum MarkChange: Equatable, Sendable {
        case keep
        case remove
        case set(SyncMark)
    }

    public init() {}
}
