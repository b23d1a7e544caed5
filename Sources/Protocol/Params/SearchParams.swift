import JSON

/// The params of `R/search`: `{"text"?, "filter"?, "limit"?, "offset"?}`.
public struct SearchParams: Equatable, Sendable {
    private static let names: [StaticString] = ["text", "filter", "limit", "offset"]
    private static let text = Parameter("text", "a string of at most 1000 characters") { view in
        view.string.flatMap { $0.unicodeScalars.count <= 1000 ? $0 : nil }
    }
    private static let limit = Parameter("limit", "an integer from 0 to 1000") { view in
        view.integer.flatMap { (0...1000).contains($0) ? $0 : nil }
    }
    private static let offset = Parameter("offset", "an integer from 0") { view in
        view.integer.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The words that are looked for; nil or blank is every item.
    public let text: String?
    /// The values that fields must have.
    public let filter: FilterParam?
    /// How many items are wanted at most; 20 where it is absent.
    public let limit: Int
    /// How many items are passed over first.
    public let offset: Int

    /// Reads the params.
    public init(_ reader: ParamsReader) throws(RPCError) {
        try reader.allow(Self.names)
        text = try reader.optional(Self.text)
        filter = try reader.optional(Parameters.filter)
        limit = try reader.optional(Self.limit) ?? 20
        offset = try reader.optional(Self.offset) ?? 0
    }
}
