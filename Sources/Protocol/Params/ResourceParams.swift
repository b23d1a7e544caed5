import JSON

/// How fresh an answer must be.
public struct FreshnessParams: Equatable, Sendable {
    /// The policy; the default is `localFirst`.
    public let cachePolicy: CachePolicyParam
    /// The largest age in milliseconds at which a cached value is still fresh.
    public let maxAge: Int?

    init(_ reader: ParamsReader) throws(RPCError) {
        cachePolicy = try reader.optional(Parameters.cachePolicy) ?? .localFirst
        maxAge = try reader.optional(Parameters.maxAge)
    }
}

/// The params of `R/get`: `{"id", "cachePolicy"?, "maxAge"?}`.
public struct GetParams: Equatable, Sendable {
    private static let names: [StaticString] = ["id", "cachePolicy", "maxAge"]

    /// The item's id.
    public let id: IdentifierParam
    /// How fresh it must be.
    public let freshness: FreshnessParams

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        id = try reader.required(Parameters.id)
        freshness = try FreshnessParams(reader)
    }
}

/// The params of `R/list`: `{"page"?, "filter"?, "cachePolicy"?, "maxAge"?}`.
public struct ListParams: Equatable, Sendable {
    private static let names: [StaticString] = ["page", "filter", "cachePolicy", "maxAge"]

    /// Which page; nil is the first.
    public let page: PageParam?
    /// Which items.
    public let filter: FilterParam?
    /// How fresh it must be.
    public let freshness: FreshnessParams

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        page = try reader.optional(Parameters.page)
        filter = try reader.optional(Parameters.filter)
        freshness = try FreshnessParams(reader)
    }
}

/// The params of `R/getMany`: `{"ids", "cachePolicy"?, "maxAge"?}`.
public struct GetManyParams: Equatable, Sendable {
    private static let names: [StaticString] = ["ids", "cachePolicy", "maxAge"]

    /// The items' ids in the order wanted.
    public let ids: [IdentifierParam]
    /// How fresh they must be.
    public let freshness: FreshnessParams

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        ids = try reader.required(Parameters.ids)
        freshness = try FreshnessParams(reader)
    }
}
