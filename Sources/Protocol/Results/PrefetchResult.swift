import JSON

/// The result of `R/prefetch`: `{"pages", "items", "fetched", "reused"}`, where `pages` are `fetched` and `reused` ones.
public struct PrefetchResult: RPCResult, Equatable {
    /// What it looks like.
    public static let schema = JSONSchema.object(JSONSchema.counts("pages", "items", "fetched", "reused"))

    private let pages: Int
    private let items: Int
    private let fetched: Int
    private let reused: Int

    /// The result.
    public init(pages: Int, items: Int, fetched: Int, reused: Int) {
        self.pages = pages
        self.items = items
        self.fetched = fetched
        self.reused = reused
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("pages")
        writer.integer(pages)
        writer.key("items")
        writer.integer(items)
        writer.key("fetched")
        writer.integer(fetched)
        writer.key("reused")
        writer.integer(reused)
        writer.endObject()
    }
}
