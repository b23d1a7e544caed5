import JSON
import System

/// The params of `RESOURCE/search`: `{"text"?, "filter"?, "fields"?, "limit"?, "offset"?}`.
public struct SearchParams: MethodParams, Equatable, Sendable {
    private static let text = Parameter(
        "text", "a string of at most 1000 characters",
        "Words; each must be the beginning of a word in a text of the item. If absent, all items match.",
        schema: .string(maxLength: 1000)
    ) { view in
        view.string.flatMap { $0.unicodeScalars.count <= 1000 ? $0 : nil }
    }
    private static let limit = Parameter(
        "limit", "an integer from 0 to \(maxLimit)", "The largest number of items; \(defaultLimit) if absent.",
        schema: .integer(in: 0...maxLimit)
    ) { view in
        view.integer.flatMap { (0...maxLimit).contains($0) ? $0 : nil }
    }
    private static let offset = Parameter(
        "offset", "an integer from 0", "The number of items to skip.", schema: .integer(from: 0)
    ) { view in
        view.integer.flatMap { $0 >= 0 ? $0 : nil }
    }

    public static let declared = ParameterList(
        text.optional, Parameters.values.optional, Parameters.fields.optional, limit.optional, offset.optional)

    /// The text to search for. If the text is nil or blank, all items match.
    public let text: String?
    /// The field values that a found item must have.
    public let filter: FilterParam?
    /// The fields to return; nil for all fields.
    public let fields: FieldsParam?
    public let limit: Int
    public let offset: Int

    private static let declaredWithoutFilter = ParameterList(
        text.optional, Parameters.fields.optional, offset.optional)
    /// The maximum value of `limit` in a request.
    public static let maxLimit = 1000
    /// The value of `limit` for a request without this parameter.
    public static let defaultLimit = 20

    /// Creates params from a request, but takes the filter and the limit from the caller.
    ///
    /// - Parameters:
    ///   - filter: the field values that a found item must have.
    ///   - limit: the maximum number of items to return. `maxLimit` replaces a larger value.
    public init(_ reader: ParamsReader, filter: FilterParam?, limit: Int) throws(RPCError) {
        let (text, fields, offset) = try Self.declaredWithoutFilter.read(reader)
        self.text = text
        self.filter = filter
        self.fields = fields
        self.limit = min(limit, Self.maxLimit)
        self.offset = offset ?? 0
    }

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (text, filter, fields, limit, offset) = try Self.declared.read(reader)
        self.text = text
        self.filter = filter
        self.fields = fields
        self.limit = limit ?? Self.defaultLimit
        self.offset = offset ?? 0
    }
}

/// The result of `RESOURCE/search`: `{"items", "count", "syncedAt"?}`.
public struct SearchResult: RPCResult {
    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([
            .required("items", .array(of: item)), .required("count", .count),
            .optional("syncedAt", .moment.described("The time of the last sync of the whole list.")),
        ])
    }

    /// The found items as JSON, best match first.
    public let items: [[UInt8]]
    /// The number of all matching items.
    public let count: Int
    /// The time at which the API returned the oldest item; nil if there are no items. This time is not part of the JSON
    /// result.
    public let oldest: Timestamp?
    /// The time of the last sync of the whole list; nil if the cache has no complete copy of the list.
    public let syncedAt: Timestamp?

    public init(items: [[UInt8]], count: Int, oldest: Timestamp? = nil, syncedAt: Timestamp? = nil) {
        self.items = items
        self.count = count
        self.oldest = oldest
        self.syncedAt = syncedAt
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writer.key("count")
        writer.integer(count)
        if let syncedAt {
            writer.append(",\"syncedAt\":\"")
            writer.append(moment: syncedAt.milliseconds)
            writer.append("\"")
        }
        writer.endObject()
    }
}
