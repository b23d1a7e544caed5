import JSON
import System

/// One resource of a catalog: the shape of its items, and the requests that fetch them.
public struct ResourceDefinition: Equatable, Sendable {
    public internal(set) var name: String
    /// The name of the resource's API.
    public internal(set) var api: String
    /// The parameters that identify the parents of an item, in the order of the catalog.
    public let scope: [ScopeDefinition]
    /// The type of the resource's ids.
    public let id: IDType
    /// The source of an item's id in the API's response.
    public let idSource: IDSource
    /// Whether the catalog declares the source of ids. If true, items need not contain a field `id`.
    public let hasDeclaredIDSource: Bool
    /// Whether a `get` or `getMany` fails if the API returns an item with an id that was not requested.
    public let hasStrictIDs: Bool
    /// Whether a list leaves out invalid items. If false, one invalid item makes the whole list fail.
    public let skipsMismatches: Bool
    /// The fields of an item, in the order of the catalog. If nil, Larder returns every field that the API sends.
    public let fields: [FieldDefinition]?
    public private(set) var transport: Transport
    /// The rules for cached entries of the resource: how long entries are fresh and kept, and which processes share
    /// them.
    public let cache: CacheRules
    /// The resource's declaration as compact JSON, without `cache` and `sync`. These members do not affect the contents
    /// of entries. Cache keys depend on this JSON, so a changed declaration gets new entries.
    public internal(set) var declaration: [UInt8]

    /// The protocol of a resource, REST or GraphQL, together with the resource's operations.
    public enum Transport: Equatable, Sendable {
        case rest(Operations<RESTTemplate>)
        /// The path of the GraphQL endpoint below the base URL, and the operations.
        case graphql(path: String, Operations<GraphQLTemplate>)
    }

    /// The definition of the operation `get`; nil if the resource has none.
    public var get: GetDefinition? {
        switch transport {
        case .rest(let operations): operations.get?.kind
        case .graphql(_, let operations): operations.get?.kind
        }
    }

    /// The definition of the operation `getMany`; nil if the resource has none.
    public var getMany: GetManyDefinition? {
        switch transport {
        case .rest(let operations): operations.getMany?.kind
        case .graphql(_, let operations): operations.getMany?.kind
        }
    }

    /// The definition of the operation `list`; nil if the resource has none.
    public var list: ListDefinition? {
        switch transport {
        case .rest(let operations): operations.list?.kind
        case .graphql(_, let operations): operations.list?.kind
        }
    }

    /// The settings of `sync`, which requests only changes of the list; nil if the resource has no `sync`.
    public var sync: SyncDefinition? {
        switch transport {
        case .rest(let operations): operations.sync?.definition
        case .graphql(_, let operations): operations.sync?.definition
        }
    }

    /// Returns a copy of the resource whose operation `list` makes the requests of a sync. If the resource has no
    /// `sync`, the copy is unchanged.
    ///
    /// - Parameter requests: whether the sync reads the whole list or only its changes.
    public func syncing(_ requests: SyncRequests) -> ResourceDefinition {
        var resource = self
        switch transport {
        case .rest(let operations): resource.transport = .rest(operations.syncing(requests))
        case .graphql(let path, let operations):
            resource.transport = .graphql(path: path, operations.syncing(requests))
        }
        return resource
    }

    /// Whether an item can be fetched by its id.
    public var canGet: Bool { self.get != nil || getMany != nil }

    /// Whether a value would add a path segment `.` or `..` to a request's URL.
    ///
    /// - Parameter places: the names of the placeholders that the value replaces.
    public func hasDotSegments(_ value: String, in places: String...) -> Bool {
        guard DotSegments.areFound(in: value), case .rest(let operations) = transport else { return false }
        let sync = operations.sync.map { [$0.template] + ($0.initial.map { [$0] } ?? []) } ?? []
        return (operations.templates + sync).contains {
            $0.path.places.contains(where: places.contains)
        }
    }

    /// The name of the id field in the items that Larder returns. Nil if no field contains the id, for example because
    /// Larder joins the id from several values.
    public var idField: String? {
        guard let list, list.isOfIDs, !list.isHydrated else { return wholeIDField }
        // A list of ids returns only `id`. Whole items may have another field named `id`.
        return wholeIDField == "id" || fields?.contains { $0.name == "id" } != true ? "id" : nil
    }

    /// The field that contains the id in every item that `get`, `getMany` and `list` return. Nil if these operations
    /// have no common id field.
    private var wholeIDField: String? {
        var asked: [OperationName] = []
        if self.get != nil { asked.append(.get) }
        if getMany != nil { asked.append(.getMany) }
        if let list, !list.isOfIDs { asked.append(.list) }
        return idSource.field(among: fields, in: asked, isDerived: hasDeclaredIDSource)
    }

    /// Whether the item in a response to `get` must contain the requested id. False if the request does not send the
    /// id, or if the response contains the id only as the key of the item.
    public var showsIDs: Bool {
        let isSent =
            switch transport {
            case .rest(let operations): operations.get?.template.places.contains("id") ?? true
            case .graphql(_, let operations): operations.get?.template.variables.contains("id") ?? true
            }
        return isSent && self.get?.isKeyedByID != true && !idSource.from[.get].contains { $0.hasKey }
    }
}

/// The rules for a resource's cached entries: how long entries are fresh and kept, and which processes share them.
public struct CacheRules: Equatable, Sendable {
    /// The age in milliseconds at which an entry becomes stale; nil if entries never become stale.
    public var freshFor: Milliseconds?
    /// The age in milliseconds at which an entry is dropped; nil if there is no limit.
    public var keepFor: Milliseconds?
    /// Whether a stale entry is returned at once while a new entry is fetched in the background.
    public var staleWhileRevalidate = false
    /// The processes that share the resource's entries through the shared cache (Redis). By default (nil), processes
    /// share entries if their credentials are equal. This comparison ignores tokens that Larder fetches itself.
    public var shared: SharedRule?

    /// The processes that share a resource's entries through the shared cache (Redis).
    public enum SharedRule: String, CaseIterable, Sendable {
        /// All processes that use the shared cache share the entries, even if their credentials differ.
        case everyone
        /// The entries are not stored in the shared cache, so no other process uses them.
        case never
    }

    /// Creates rules under which entries never become stale.
    public init() {}
}
