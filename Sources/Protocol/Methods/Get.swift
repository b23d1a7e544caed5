import JSON
import Model
import System

/// The params of `RESOURCE/get`: `{"id", "fields"?, "cachePolicy"?, "maxAge"?}`.
public struct GetParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.id.required, Parameters.fields.optional, Parameters.cachePolicy.optional,
        Parameters.maxAge.optional)

    /// The item's id as a string; an integer id is written in decimal digits.
    public let id: String
    /// The fields to return; nil for all fields.
    public let fields: FieldsParam?
    public let freshness: FreshnessParams

    /// Creates params with an id, and defaults for all other parameters.
    public init(id: String) {
        self.id = id
        fields = nil
        freshness = .standard
    }

    public init(_ reader: ParamsReader) throws(RPCError) {
        // The params of most requests contain only an id.
        if let id = try reader.only(Parameters.id) {
            self.id = id
            fields = nil
            freshness = .standard
            return
        }
        let (id, fields, cachePolicy, maxAge) = try Self.declared.read(reader)
        self.id = id
        self.fields = fields
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The result of `RESOURCE/get`: `{"item", "source", "fetchedAt", "stale", "syncedAt"?, "fallback"?}`.
public struct GetResult: RPCResult {
    public let item: [UInt8]
    public let provenance: Provenance

    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([.required("item", item)] + Provenance.itemMembers)
    }

    public init(item: [UInt8], provenance: Provenance) {
        self.item = item
        self.provenance = provenance
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the result for an item from the memory cache. This function is faster than `write(to:)`.
    ///
    /// - Parameter fetchedAt: the time at which the item was fetched, in milliseconds since 1970-01-01T00:00:00Z.
    public static func writeHit(_ item: [UInt8], fetchedAt: Int64, isStale: Bool, to writer: inout JSONWriter) {
        writer.append("{\"item\":")
        writer.beginText()
        writer.splice(item)
        writer.append(",\"source\":\"memory\",\"fetchedAt\":\"")
        writer.append(moment: fetchedAt)
        writer.append(isStale ? "\",\"stale\":true}" : "\",\"stale\":false}")
    }

    /// Writes the members of the result into a JSON object that the caller has opened.
    ///
    /// - Parameter now: the current time; nil to omit the item's age.
    @inline(__always)
    public func writeMembers(to writer: inout JSONWriter, now: Timestamp? = nil) {
        writer.key("item")
        writer.splice(item)
        provenance.write(to: &writer, now: now)
    }
}

/// The params of `RESOURCE/getMany`: `{"ids", "fields"?, "cachePolicy"?, "maxAge"?, "workDoneToken"?}`.
public struct GetManyParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.ids.required, Parameters.fields.optional, Parameters.cachePolicy.optional,
        Parameters.maxAge.optional, Parameters.workDoneToken.optional)

    /// The ids of the items, in the requested order.
    public var ids: [String]
    /// The fields to return; nil for all fields.
    public let fields: FieldsParam?
    public let freshness: FreshnessParams
    /// The token for progress notifications; nil if the client wants no notifications.
    public let progressToken: ProgressToken?

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (ids, fields, cachePolicy, maxAge, progressToken) = try Self.declared.read(reader)
        self.ids = ids
        self.fields = fields
        self.progressToken = progressToken
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The result of `RESOURCE/getMany`: `{"items", "missing", "sources"}`. If the API failed, the result also contains
/// `"stale"` and `"fallback"`.
public struct GetManyResult: RPCResult {
    /// The items as JSON, in the requested order.
    public let items: [[UInt8]]
    /// The requested ids that are missing in the result, each as JSON.
    public let missing: [[UInt8]]
    /// The number of items from each source, such as memory or the API. The shared cache is absent if it is turned off.
    public let sources: [Source: Int]
    /// The API's error, if the API failed. Because of this error, items are missing or come from the cache. Nil if the
    /// API did not fail.
    public let fallback: RPCError?
    /// The time at which the API returned the oldest item; nil if there are no items. This time is not part of the JSON
    /// result.
    public let oldest: Timestamp?

    public static func schema(item: JSONSchema, id: JSONSchema) -> JSONSchema {
        .object([
            .required("items", .array(of: item)), .required("missing", .array(of: id)),
            .required(
                "sources",
                .object(
                    Source.allCases.map { source in
                        source == .shared ? .optional(source.rawValue, .count) : .required(source.rawValue, .count)
                    })),
            .optional("stale", .boolean), .optional("fallback", .component(RPCError.schemaName)),
        ])
    }

    public init(
        items: [[UInt8]], missing: [[UInt8]], sources: [Source: Int], fallback: RPCError?,
        oldest: Timestamp? = nil
    ) {
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
        self.oldest = oldest
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writeRest(to: &writer)
        writer.endObject()
    }

    /// Writes all members of the result except `items` into a JSON object that the caller has opened.
    public func writeRest(to writer: inout JSONWriter) {
        writer.key("missing")
        writer.splice(array: missing)
        writer.key("sources")
        writer.beginObject()
        for source in Source.allCases where source != .shared || sources[source] != nil {
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
    }
}
