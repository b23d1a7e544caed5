import JSON

/// The params of `R/prefetch`: `{"filter"?, "maxPages"?, "workDoneToken"?}`.
public struct PrefetchParams: MethodParams, Equatable, Sendable {
    private static let maxPages = Parameter(
        "maxPages", "a number of pages from 1", "How many pages at most; all if absent.", schema: .integer(from: 1)
    ) { view in
        view.integer.flatMap { $0 >= 1 ? $0 : nil }
    }

    public static let declared = ParameterList(
        Parameters.filter.optional, maxPages.optional, Parameters.workDoneToken.optional)

    public let filter: FilterParam?
    /// How many pages at most; nil is all.
    public let maxPages: Int?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (filter, maxPages, _) = try Self.declared.read(reader)
    }
}

/// The result of `R/prefetch`: `{"pages", "items", "fetched", "reused"}`. Each of the `pages` was `fetched` or `reused`.
public struct PrefetchResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object(JSONSchema.counts("pages", "items", "fetched", "reused"))

    private let pages: Int
    private let items: Int
    private let fetched: Int
    private let reused: Int

    public init(pages: Int, items: Int, fetched: Int, reused: Int) {
        self.pages = pages
        self.items = items
        self.fetched = fetched
        self.reused = reused
    }

    public func write(to writer: inout JSONWriter) {
        writer.value([
            "pages": .integer(pages), "items": .integer(items), "fetched": .integer(fetched),
            "reused": .integer(reused),
        ])
    }
}
