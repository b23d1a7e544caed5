import JSON

/// The params of `cache/remove` and `cache/invalidate`: `{"resource"?, "id"? or "ids"?, "olderThan"?}`.
public struct CacheSelectionParams: Equatable, Sendable {
    private static let names: [StaticString] = ["resource", "id", "ids", "olderThan"]

    /// The resource's name; nil is every resource.
    public let resource: String?
    /// The items' ids; nil is all items and pages.
    public let ids: [IdentifierParam]?
    /// Only what is older than this, in milliseconds.
    public let olderThan: Int?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        resource = try reader.optional(Parameters.resource)
        let id = try reader.optional(Parameters.id)
        let ids = try reader.optional(Parameters.ids)
        olderThan = try reader.optional(Parameters.olderThan)
        if id != nil, ids != nil { throw RPCError(.invalidParams, "'id' and 'ids' exclude each other") }
        self.ids = id.map { [$0] } ?? ids
        if self.ids != nil, resource == nil {
            throw RPCError(.invalidParams, "'resource' is missing: ids are a resource's")
        }
    }
}
