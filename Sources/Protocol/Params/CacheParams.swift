/// The params of `cache/remove` and `cache/invalidate`: `{"resource"?, "id"? or "ids"?, "olderThan"?}`.
public struct CacheSelectionParams: MethodParams, Equatable, Sendable {
    /// What is read.
    public static let declared = ParameterList(
        Parameters.resource.optional, Parameters.id.optional, Parameters.ids.optional, Parameters.olderThan.optional)

    /// The resource's name; nil is every resource.
    public let resource: String?
    /// The items' ids; nil is all items and pages.
    public let ids: [IdentifierParam]?
    /// Only what is older than this, in milliseconds.
    public let olderThan: Int?

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        let (resource, id, ids, olderThan) = try Self.declared.read(reader)
        if id != nil, ids != nil { throw RPCError(.invalidParams, "'id' and 'ids' exclude each other") }
        self.resource = resource
        self.ids = id.map { [$0] } ?? ids
        self.olderThan = olderThan
        if self.ids != nil, resource == nil {
            throw RPCError(.invalidParams, "'resource' is missing: ids are a resource's")
        }
    }
}
