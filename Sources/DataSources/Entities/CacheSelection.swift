import System

/// Which entries a removal or an invalidation means. What is nil does not restrict; all nil means everything.
public struct CacheSelection: Equatable, Sendable {
    /// The resource's name, whatever the shape it was kept in.
    public var resource: String?
    /// These items only; pages are then not meant.
    public var ids: [String]?
    /// Only what came from the remote before this moment.
    public var fetchedBefore: Timestamp?

    /// A selection.
    public init(resource: String? = nil, ids: [String]? = nil, fetchedBefore: Timestamp? = nil) {
        self.resource = resource
        self.ids = ids
        self.fetchedBefore = fetchedBefore
    }
}
