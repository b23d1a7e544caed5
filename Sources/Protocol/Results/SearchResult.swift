import JSON

/// The result of `R/search`: `{"items", "count"}`.
public struct SearchResult: RPCResult {
    /// What it looks like with such items.
    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([.required("items", .array(of: item)), .required("count", .count)])
    }

    /// The items as JSON, best first.
    public let items: [[UInt8]]
    /// How many there are in all.
    public let count: Int

    /// A result.
    public init(items: [[UInt8]], count: Int) {
        self.items = items
        self.count = count
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writer.key("count")
        writer.integer(count)
        writer.endObject()
    }
}
