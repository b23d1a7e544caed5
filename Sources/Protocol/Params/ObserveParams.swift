/// The params of `R/observe`: `{"id", "observer"?}` or `{"page"?, "filter"?, "observer"?}`.
public struct ObserveParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.id.optional, Parameters.page.optional, Parameters.filter.optional, Parameters.observer.optional)

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
        (id, page, filter, observer) = try Self.declared.read(reader)
        if id != nil, page != nil || filter != nil {
            throw RPCError(
                .invalidParams, "'id' is an item's, 'page' and 'filter' are a page's: they exclude each other")
        }
    }
}

/// The params of `R/unobserve`: `{"observer"}`.
public struct UnobserveParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(Parameters.observer.required)

    /// The observer's name.
    public let observer: String

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        observer = try Self.declared.read(reader)
    }
}
