import JSON

/// One resource of a catalog: what its items look like and how they are asked for.
public struct ResourceDefinition: Equatable, Sendable {
    /// The resource's name.
    public let name: String
    /// The name of its API.
    public let api: String
    /// The parents of its items, in the order of the catalog.
    public let scope: [ScopeDefinition]
    /// What its ids are.
    public let id: IDType
    /// Where they are found in what the API sends.
    public let idSource: IDSource
    /// Whether the catalog says where: an item may then have no field `id` of its own.
    public let isIDDerived: Bool
    /// Whether an item that says it has another id than was asked for is a fault.
    public let hasStrictIDs: Bool
    /// Whether a list leaves out items that are not of the declared shape.
    public let skipsMismatches: Bool
    /// The fields of an item in their order; nil lets every field through.
    public let fields: [FieldDefinition]?
    /// How it is asked for.
    public let transport: Transport
    /// How long its entries are good.
    public let cache: CacheRules
    /// Its declaration as compact JSON, without `cache`: that says how long entries are good, not what is in them.
    /// Its fingerprint tells entries of different declarations apart.
    public internal(set) var declaration: [UInt8]

    /// The transports, and what is asked for over them.
    public enum Transport: Equatable, Sendable {
        case rest(Operations<RESTTemplate>)
        /// With the path of the endpoint below the base URL.
        case graphql(path: String, Operations<GraphQLTemplate>)
    }

    /// How one item is read by an operation of its own; nil where there is none.
    public var get: GetDefinition? {
        switch transport {
        case .rest(let operations): operations.get?.kind
        case .graphql(_, let operations): operations.get?.kind
        }
    }

    /// How several items are asked for at once; nil where they cannot be.
    public var getMany: GetManyDefinition? {
        switch transport {
        case .rest(let operations): operations.getMany?.kind
        case .graphql(_, let operations): operations.getMany?.kind
        }
    }

    /// What a list can do; nil where there is no list.
    public var list: ListDefinition? {
        switch transport {
        case .rest(let operations): operations.list?.kind
        case .graphql(_, let operations): operations.list?.kind
        }
    }

    /// Whether one item can be asked for.
    public var canGet: Bool { self.get != nil || getMany != nil }

    /// Whether a value would put a segment `.` or `..` into the path of a request.
    ///
    /// - Parameter places: the names of the places that the value fills.
    public func hasDotSegments(_ value: String, in places: String...) -> Bool {
        guard DotSegments.areFound(in: value), case .rest(let operations) = transport else { return false }
        return operations.templates.contains { $0.path.places.contains(where: places.contains) }
    }

    /// The member of its items, as they are served, whose value is their id; nil where none is known to be, as where
    /// ids are made of several values or cut out of a text.
    public var idField: String? {
        guard let list, list.isOfIDs, !list.isHydrated else { return wholeIDField }
        // Such a list shows `id` alone. It is not the id of whole items that have another `id`.
        return wholeIDField == "id" || fields?.contains { $0.name == "id" } != true ? "id" : nil
    }

    /// The same for items that are read by `get` and `getMany`, and by lists that show items.
    private var wholeIDField: String? {
        var asked: [OperationName] = []
        if self.get != nil { asked.append(.get) }
        if getMany != nil { asked.append(.getMany) }
        if let list, !list.isOfIDs { asked.append(.list) }
        return idSource.field(among: fields, in: asked, isDerived: isIDDerived)
    }

    /// Whether a whole item says its id itself, so that one without it is none: the request names the id, and neither
    /// the item's place in the answer nor the key under which it stands is the id.
    public var showsIDs: Bool {
        let isSent =
            switch transport {
            case .rest(let operations): operations.get?.template.places.contains("id") ?? true
            case .graphql(_, let operations): operations.get?.template.variables.contains("id") ?? true
            }
        return isSent && self.get?.isPlacedByID != true && !idSource.from[.get].contains { $0.hasKey }
    }
}

/// How long a resource's entries are good, in milliseconds, nil being for ever; and who else may have them.
public struct CacheRules: Equatable, Sendable {
    /// An entry younger than this is fresh.
    public var freshFor: Int?
    /// An entry older than this is no longer there.
    public var keepFor: Int?
    /// Whether a stale entry is returned at once and refreshed behind.
    public var staleWhileRevalidate = false
    /// With whom its entries are shared; nil is with those who have equal static credentials.
    public var shared: SharedRule?

    /// What a catalog may say of that.
    public enum SharedRule: String, CaseIterable, Sendable {
        /// With all who use the shared level, whatever their credentials are.
        case everyone
        /// With nobody.
        case never
    }

    /// Entries that are good for ever.
    public init() {}
}
