import JSON
import System

/// The params of `R/search`: `{"text"?, "filter"?, "fields"?, "limit"?, "offset"?}`.
public struct SearchParams: MethodParams, Equatable, Sendable {
    private static let text = Parameter(
        "text", "a string of at most 1000 characters",
        "Words, each the beginning of a word in one of the item's texts; every item if absent.",
        schema: .string(maxLength: 1000)
    ) { view in
        view.string.flatMap { $0.unicodeScalars.count <= 1000 ? $0 : nil }
    }
    private static let limit = Parameter(
        "limit", "an integer from 0 to \(maxLimit)", "How many items at most; \(defaultLimit) if absent.",
        schema: .integer(in: 0...maxLimit)
    ) { view in
        view.integer.flatMap { (0...maxLimit).contains($0) ? $0 : nil }
    }
    private static let offset = Parameter(
        "offset", "an integer from 0", "How many items are passed over first.", schema: .integer(from: 0)
    ) { view in
        view.integer.flatMap { $0 >= 0 ? $0 : nil }
    }

    public static let declared = ParameterList(
        text.optional, Parameters.values.optional, Parameters.fields.optional, limit.optional, offset.optional)

    /// The words that are looked for; nil or blank is every item.
    public let text: String?
    /// The values that fields must have.
    public let filter: FilterParam?
    /// Which fields the items show; nil is all.
    public let fields: FieldsParam?
    public let limit: Int
    public let offset: Int

    private static let declaredWithoutLimit = ParameterList(
        text.optional, Parameters.values.optional, Parameters.fields.optional, offset.optional)
    /// The highest limit that a request may give.
    public static let maxLimit = 1000
    /// The limit of a request that gives none.
    public static let defaultLimit = 20

    /// Reads the params but `limit`, which the caller has read.
    ///
    /// - Parameter limit: at most `maxLimit` counts.
    public init(_ reader: ParamsReader, limit: Int) throws(RPCError) {
        let (text, filter, fields, offset) = try Self.declaredWithoutLimit.read(reader)
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

/// The result of `R/search`: `{"items", "count"}`.
public struct SearchResult: RPCResult {
    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([.required("items", .array(of: item)), .required("count", .count)])
    }

    /// The items as JSON, best first.
    public let items: [[UInt8]]
    /// How many match in all.
    public let count: Int
    /// When the oldest of the items came from the API; nil for none. It is not on the wire.
    public let oldest: Timestamp?

    public init(items: [[UInt8]], count: Int, oldest: Timestamp? = nil) {
        self.items = items
        self.count = count
        self.oldest = oldest
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writer.key("count")
        writer.integer(count)
        writer.endObject()
    }
}
