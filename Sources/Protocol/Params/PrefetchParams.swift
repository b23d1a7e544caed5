import JSON

/// The params of `R/prefetch`: `{"filter"?, "maxPages"?}`.
public struct PrefetchParams: Equatable, Sendable {
    private static let names: [StaticString] = ["filter", "maxPages"]

    /// Which items.
    public let filter: FilterParam?
    /// How many pages at most; nil is all.
    public let maxPages: Int?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        filter = try reader.optional(Parameters.filter)
        maxPages = try reader.optional(Parameters.maxPages)
    }
}
