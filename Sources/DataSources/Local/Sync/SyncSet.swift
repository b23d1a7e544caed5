import Model
import System

/// A list of a resource of which the cache keeps a local copy. The list's filters are part of the set's identity.
public struct SyncSet: Hashable, Sendable {
    public let resource: ResourceKey
    /// The filters as canonical JSON (`PageRequest.canonicalList`).
    public let list: String

    public init(resource: ResourceKey, list: String) {
        self.resource = resource
        self.list = list
    }
}

/// The stored state of a set after its last runs.
public struct SyncState: Equatable, Sendable {
    public let set: SyncSet
    /// The number of items in the set.
    public var items = 0
    /// The start of the last run that has read all pages; nil if there was none.
    public var syncedAt: Timestamp?
    /// The start of the last run that has certainly read all items of the list; nil if there was none.
    public var wholeAt: Timestamp?
    /// Whether an item of the set was evicted, damaged or removed by other means since the last run.
    public var isPartial = false
    /// Whether the last run held back the removal of more than half of the items.
    public var isHeld = false
    /// The number of runs that have certainly read all items of the list.
    public var generation = 0
    /// The place where the next run continues; nil if it starts at the first page.
    public var position: SyncPosition?
    /// The place in the changes of the list up to which the copy has all changes; nil if the next run must read the
    /// whole list.
    public var mark: SyncMark?

    public init(set: SyncSet) { self.set = set }
}

/// The place in the changes of a list from which the next run asks for changes.
public struct SyncMark: Equatable, Sendable {
    /// The value that the API uses for this place, as the API writes it.
    public var value: String
    /// The hash of the declaration of `sync` with which the value was obtained.
    public var declaration: String
    /// The start of the run that has read the whole list.
    public var wholeAt: Timestamp
    /// Whether the copy had all items of the list after the last run that read all changes.
    public var isComplete: Bool

    public init(value: String, declaration: String, wholeAt: Timestamp, isComplete: Bool) {
        self.value = value
        self.declaration = declaration
        self.wholeAt = wholeAt
        self.isComplete = isComplete
    }
}

/// The place in a list at which an interrupted run stopped.
public struct SyncPosition: Equatable, Sendable {
    /// The next page to read.
    public let page: PageToken
    /// The time at which the first page of the list was requested.
    public let start: Timestamp
    /// The totals of the pages before `page`.
    public var totals: ListTotals
    /// The mark to store if the run reaches the end of the list; nil for none.
    public var mark: String?
    /// The hash of the declaration of `sync`; nil if the list declares none.
    public var declaration: String?

    public init(page: PageToken, start: Timestamp, totals: ListTotals = ListTotals()) {
        self.page = page
        self.start = start
        self.totals = totals
    }
}

/// Totals over the read pages of a list, which show whether the pages contain all items of the list.
public struct ListTotals: Equatable, Sendable {
    /// Whether a page lists an item that could not be stored.
    public var lacksItems = false
    /// Whether an item was listed twice.
    public var hasRepeated = false
    /// Whether two pages report different numbers of items.
    public var hasChanged = false
    /// Whether a page had elements that are not items of the list. The API's number of items may include them.
    public var omitsElements = false
    /// The number of items in the list, as the last page reports it; nil if unknown.
    public var count: Int?

    public init() {}
}

/// The permission to change a set. Only one run at a time has a set's ticket.
public struct SyncTicket: Equatable, Sendable {
    /// The state of the set when the run started.
    public let state: SyncState
    /// The number of the set in the store.
    let number: Int64
    /// The random number of the run. Another number in the store means that another run has taken over the set.
    let holder: Int64

    public init(state: SyncState, number: Int64, holder: Int64) {
        self.state = state
        self.number = number
        self.holder = holder
    }
}

/// A part of an answer that a run stores in one step.
public struct SyncedPart: Sendable {
    public let items: [ItemEntity]
    /// The pages of the list to store; empty if the request was not for pages of the list.
    public let pages: [PageEntity]
    /// The items that the API reports as deleted. They leave all sets and the store.
    public var removed: [ItemKey] = []
    /// The place where the next run continues if this run ends here; nil at the end of the list.
    public let position: SyncPosition?
    /// The set's mark after the part is stored.
    public var mark: SyncMark?
    /// The age from which a stored item is written again even if it is equal, in milliseconds.
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

/// The effect of a stored part on the set.
public struct SyncedChanges: Equatable, Sendable {
    /// The items that were not in the set before.
    public var added: [ItemKey] = []
    /// The items of the set whose JSON differs from the stored JSON.
    public var changed: [ItemKey] = []
    /// The items that were written. Equal items are not written, unless they are older than `SyncedPart.maxAge`.
    public var written: [ItemEntity] = []
    /// The items that have left the set.
    public var removed: [ItemKey] = []
    /// The items that were deleted from the store, including those that were not in the set.
    public var deleted: [ItemKey] = []
    /// Whether nothing was stored, because the part was outdated.
    public var isOutdated = false
    /// The number of items that the run had already seen.
    public var repeated = 0

    public init() {}
}

/// The end of a run.
public struct SyncEnd: Equatable, Sendable {
    /// The start of the run if it has read all pages; otherwise nil.
    public var syncedAt: Timestamp?
    /// Whether the run has certainly read all items of the list.
    public var isWhole = false
    /// Whether the set has items that the run did not find, but held back.
    public var isHeld = false
    /// Whether the next run continues at the stored position.
    public var continues = true
    public var mark = MarkChange.keep

    /// The change of the set's mark.
    public enum MarkChange: Equatable, Sendable {
        case keep
        case remove
        case set(SyncMark)
    }

    public init() {}
}
