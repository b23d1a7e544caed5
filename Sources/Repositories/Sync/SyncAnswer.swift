import DataSources
import Model
import System

/// A call to update the local copy of a list.
public struct SyncRequest: Equatable, Sendable {
    public var filters: [PageRequest.Filter] = []
    /// The age in milliseconds above which the local copy is updated. If nil, the copy is always updated.
    public var maxAge: Milliseconds?
    /// The maximum number of requests to the API; nil for no limit.
    public var maxRequests: Int?
    /// Whether to read the list from its first page, even if an earlier run was interrupted.
    public var startsOver = false
    /// Whether the sync may remove more than half of the items of a large local copy.
    public var acceptsRemovals = false
    /// The maximum number of changes that the answer lists.
    public var maxChanges = 0

    public init() {}
}

/// The result of a sync: the changes to the local copy of a list, and the new state of the copy.
public struct SyncAnswer: Equatable, Sendable {
    /// The part of a list that a sync requests: nothing, only the changes, or the whole list.
    public enum Mode: String, Sendable {
        /// The local copy was recent enough, so the sync made no requests.
        case none
        /// The sync requested only the changes since an update time or sequence number.
        case since
        /// The sync requested only the changes since a token of the API.
        case token
        /// The sync requested the whole list.
        case whole
    }

    /// The way in which a sync finds the items that no longer exist.
    public enum Deletions: String, Sendable {
        /// The API reports deleted items together with the changes.
        case told
        /// The sync read the whole list. Items that it did not find no longer exist.
        case walked
        /// The sync could not determine which items no longer exist.
        case unknown
    }

    /// A change that the sync made to one item of the local copy.
    public struct Change: Equatable, Sendable {
        public enum Kind: String, Sendable { case added, changed, removed }

        public let kind: Kind
        public let id: String
    }

    public var mode = Mode.whole
    /// The number of requests to the API.
    public var requests = 0
    public var added = 0
    public var changed = 0
    public var removed = 0
    /// The number of items that the API no longer lists, but that remain in the local copy as stale items. The sync
    /// keeps such items if they are more than half of the copy. Nil if there are none.
    public var held: Int?
    /// The first changes to the local copy, up to `SyncRequest.maxChanges`.
    public var changes: [Change] = []
    /// The number of changes that `changes` omits.
    public var omittedChanges = 0
    /// Whether the local copy contains all items of the list; nil if unknown.
    public var isComplete: Bool?
    public var deletions = Deletions.unknown
    /// The state of the synced list after the sync.
    public var state: SyncState

    public init(state: SyncState) { self.state = state }

    mutating func record(_ kind: Change.Kind, _ keys: [ItemKey], limit: Int) {
        switch kind {
        case .added: added += keys.count
        case .changed: changed += keys.count
        case .removed: removed += keys.count
        }
        let named = keys.prefix(max(0, limit - changes.count))
        changes += named.map { Change(kind: kind, id: $0.id) }
        omittedChanges += keys.count - named.count
    }
}

/// The reason why a sync failed.
public enum SyncError: Error, Equatable, Sendable {
    /// The API failed.
    case repository(RepositoryError)
    /// The cache file failed.
    case local(LocalDataError)
    /// Another sync of the same list ran for too long, or took over the list.
    case taken

    /// The error for a sync without a cache file.
    static var noFile: SyncError {
        .local(LocalDataError("cannot sync without a cache file; remove --no-persistence", isUnavailable: true))
    }
}
