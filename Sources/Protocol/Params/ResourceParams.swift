/// How fresh an answer must be.
public struct FreshnessParams: Equatable, Sendable {
    /// Where nothing is said.
    public static let standard = FreshnessParams(nil, nil)

    /// The policy; the default is `localFirst`.
    public let cachePolicy: CachePolicyParam
    /// The largest age in milliseconds at which a cached value is still fresh.
    public let maxAge: Int?

    init(_ cachePolicy: CachePolicyParam?, _ maxAge: Int?) {
        self.cachePolicy = cachePolicy ?? .localFirst
        self.maxAge = maxAge
    }
}

/// The params of `R/get`: `{"id", "cachePolicy"?, "maxAge"?}`.
public struct GetParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.id.required, Parameters.cachePolicy.optional, Parameters.maxAge.optional)

    /// The item's id.
    public let id: IdentifierParam
    /// How fresh it must be.
    public let freshness: FreshnessParams

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        // Most requests have nothing but an id.
        if let id = try reader.only(Parameters.id) {
            self.id = id
            freshness = .standard
            return
        }
        let (id, cachePolicy, maxAge) = try Self.declared.read(reader)
        self.id = id
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The params of `R/list`: `{"page"?, "filter"?, "cachePolicy"?, "maxAge"?}`.
public struct ListParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.page.optional, Parameters.filter.optional, Parameters.cachePolicy.optional,
        Parameters.maxAge.optional)

    /// Which page; nil is the first.
    public let page: PageParam?
    /// Which items.
    public let filter: FilterParam?
    /// How fresh it must be.
    public let freshness: FreshnessParams

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        let (page, filter, cachePolicy, maxAge) = try Self.declared.read(reader)
        self.page = page
        self.filter = filter
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The params of `R/getMany`: `{"ids", "cachePolicy"?, "maxAge"?, "workDoneToken"?}`.
public struct GetManyParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.ids.required, Parameters.cachePolicy.optional, Parameters.maxAge.optional,
        Parameters.workDoneToken.optional)

    /// The items' ids in the order wanted.
    public let ids: [IdentifierParam]
    /// How fresh they must be.
    public let freshness: FreshnessParams
    /// Under what the client wants to hear of the progress; nil where it does not.
    public let progressToken: ProgressToken?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        let (ids, cachePolicy, maxAge, progressToken) = try Self.declared.read(reader)
        self.ids = ids
        self.progressToken = progressToken
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}
