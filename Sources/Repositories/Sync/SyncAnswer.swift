import DataSources
import Model
import System

/// A call to update the local copy of a list.
public struct SyncRequest: Equatable, Sendable {
    public var filters: [PageRequest.Filter] = []
    /// If the copy is at most this old, in milliseconds, nothing is requested; nil for a run in any case.
    public var maxAge: Milliseconds?
    /// The maximum number of requests to the API; nil for no limit.
    public var maxRequests: Int?
    /// Whether to read the list from its first page, even if an earlier run was interrupted.
    public var startsOver = false
    /// Whether the run may remove more than half of the items.
    public var acceptsRemovals = false
    /// The maximum number of changes in the answer.
    public var maxChanges = 0

    public init() {}
}

/// The result of a sync.
public struct SyncAnswer: Equatable, Sendable {
    /// The kind of a run.
    public enum Mode: String, Sendable {
        /// The copy was recent enough, so nothing was requested.
        case none
        /// Only the changes since a time or number were requested.
        case since
        /// The whole list was read.
        case whole
    }

    /// The way in which a run finds the items that no longer exist.
    public enum Deletions: String, Sendable {
        /// The API reported the deleted items.
        case told
        /// The run read the whole list.
        case walked
        /// The run did not find out which items no longer exist.
        case unknown
    }

    /// A change that the run has made to one item of the copy.
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
    /// The number of items that the run would have removed. They became stale instead, because they were more than half
    /// of the items. Nil if nothing was held back.
    public var held: Int?
    /// The first changes, up to `SyncRequest.maxChanges`.
    public var changes: [Change] = []
    /// The number of changes that `changes` omits.
    public var omittedChanges = 0
    /// Whether the copy has all items of the list; nil if unknown.
    public var isComplete: Bool?
    public var deletions = Deletions.unknown
    /// The state of the set after the run.
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
    /// Another run had the set for too long, or took it over.
    case taken

    /// The error for a cache without a file.
    static var noFile: SyncError {
        .local(LocalDataError("cannot sync without a cache file; remove --no-persistence", isUnavailable: true))
    }
}
