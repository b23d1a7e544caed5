/// The params of `R/prefetch`: `{"filter"?, "maxPages"?, "workDoneToken"?}`.
public struct PrefetchParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.filter.optional, Parameters.maxPages.optional, Parameters.workDoneToken.optional)

    /// Which items.
    public let filter: FilterParam?
    /// How many pages at most; nil is all.
    public let maxPages: Int?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        (filter, maxPages, _) = try Self.declared.read(reader)
    }
}
