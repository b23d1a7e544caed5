import JSON

/// One resource of a catalog: what its items look like and how they are asked for.
public struct ResourceDefinition: Equatable, Sendable {
    /// The resource's name.
    public let name: String
    /// The name of its API.
    public let api: String
    /// What its ids are.
    public let id: IDType
    /// Whether an item that says it has another id than was asked for is a fault.
    public let hasStrictIDs: Bool
    /// The fields of an item in their order; nil lets every field through.
    public let fields: [FieldDefinition]?
    /// How it is asked for.
    public let transport: Transport
    /// How long its entries are good.
    public let cache: CacheRules
    /// Its declaration as compact JSON, without `cache`: that says how long entries are good, not what is in them.
    /// Its fingerprint tells entries of different declarations apart.
    public internal(set) var declaration: [UInt8]

    /// The transports.
    public enum Transport: Equatable, Sendable {
        case rest(RESTOperations)
        case graphql(GraphQLOperations)
    }

    /// Whether one item can be asked for.
    public var canGet: Bool {
        switch transport {
        case .rest(let operations): operations.get != nil || operations.getMany != nil
        case .graphql(let operations): operations.get != nil || operations.getMany != nil
        }
    }

    /// What a list can do; nil where there is no list.
    public var list: ListDefinition? {
        switch transport {
        case .rest(let operations): operations.list?.list
        case .graphql(let operations): operations.list?.list
        }
    }

    /// How many items one request may ask for; nil where several cannot be asked for at once.
    public var maxIDs: Int? {
        switch transport {
        case .rest(let operations): operations.getMany?.maxIDs
        case .graphql(let operations): operations.getMany?.maxIDs
        }
    }
}

/// How long a resource's entries are good, in milliseconds; nil is for ever.
public struct CacheRules: Equatable, Sendable {
    /// An entry younger than this is fresh.
    public var freshFor: Int?
    /// An entry older than this is no longer there.
    public var keepFor: Int?
    /// Whether a stale entry is returned at once and refreshed behind.
    public var staleWhileRevalidate = false

    /// Entries that are good for ever.
    public init() {}
}
