import JSON

/// The params of `R/observe`: `{"id", "observer"?}` or `{"page"?, "filter"?, "observer"?}`.
public struct ObserveParams: Equatable, Sendable {
    private static let names: [StaticString] = ["id", "page", "filter", "observer"]

    /// The item; nil for a page.
    public let id: IdentifierParam?
    /// Which page; nil is the first.
    public let page: PageParam?
    /// Which list.
    public let filter: FilterParam?
    /// What the client calls the observer; nil lets the server choose.
    public let observer: String?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        id = try reader.optional(Parameters.id)
        page = try reader.optional(Parameters.page)
        filter = try reader.optional(Parameters.filter)
        observer = try reader.optional(Parameters.observer)
        if id != nil, page != nil || filter != nil {
            throw RPCError(
                .invalidParams, "'id' is an item's, 'page' and 'filter' are a page's: they exclude each other")
        }
    }
}

/// The params of `R/unobserve`: `{"observer"}`.
public struct UnobserveParams: Equatable, Sendable {
    private static let names: [StaticString] = ["observer"]

    /// The observer's name.
    public let observer: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        observer = try reader.required(Parameters.observer)
    }
}
