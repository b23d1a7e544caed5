import JSON

/// The params of `R/getMany`: `{"ids", "cachePolicy"?, "maxAge"?, "workDoneToken"?}`.
public struct GetManyParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.ids.required, Parameters.cachePolicy.optional, Parameters.maxAge.optional,
        Parameters.workDoneToken.optional)

    /// The items' ids in the order wanted.
    public let ids: [String]
    public let freshness: FreshnessParams
    /// nil where the client does not ask for the progress.
    public let progressToken: ProgressToken?

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (ids, cachePolicy, maxAge, progressToken) = try Self.declared.read(reader)
        self.ids = ids
        self.progressToken = progressToken
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The result of `R/getMany`: `{"items", "missing", "sources"}`, and `"stale"` and `"fallback"` where the remote
/// failed.
public struct GetManyResult: RPCResult {
    /// The items as JSON, in the order asked.
    public let items: [[UInt8]]
    /// The ids, as JSON, for which there is no item.
    public let missing: [[UInt8]]
    /// How many items came from each source.
    public let sources: [Source: Int]
    /// Why the remote did not answer, if cached items stand in.
    public let fallback: RPCError?

    public static func schema(item: JSONSchema, id: JSONSchema) -> JSONSchema {
        .object([
            .required("items", .array(of: item)), .required("missing", .array(of: id)),
            .required("sources", .object(Source.allCases.flatMap { JSONSchema.counts($0.rawValue) })),
            .optional("stale", .boolean), .optional("fallback", .component(RPCError.schemaName)),
        ])
    }

    public init(items: [[UInt8]], missing: [[UInt8]], sources: [Source: Int], fallback: RPCError?) {
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writer.key("missing")
        writer.splice(array: missing)
        writer.key("sources")
        writer.beginObject()
        for source in Source.allCases {
            writer.key(text: source.rawValue)
            writer.integer(sources[source] ?? 0)
        }
        writer.endObject()
        if let fallback {
            writer.key("stale")
            writer.bool(true)
            writer.key("fallback")
            fallback.write(to: &writer)
        }
        writer.endObject()
    }
}
