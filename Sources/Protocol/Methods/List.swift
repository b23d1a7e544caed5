import JSON
import Model
import System

/// The params of `RESOURCE/list`: `{"page"?, "filter"?, "fields"?, "cachePolicy"?, "maxAge"?}`.
public struct ListParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.page.optional, Parameters.filter.optional, Parameters.fields.optional,
        Parameters.cachePolicy.optional, Parameters.maxAge.optional)

    /// The token of the page to return; nil for the first page.
    public let page: PageToken?
    public var filter: FilterParam?
    /// The fields to return; nil for all fields.
    public let fields: FieldsParam?
    public let freshness: FreshnessParams

    private static let declaredWithoutPage = ParameterList(
        Parameters.filter.optional, Parameters.fields.optional, Parameters.cachePolicy.optional,
        Parameters.maxAge.optional)

    /// Creates params from a request whose page token the caller has already read.
    ///
    /// - Parameter page: the page's token as JSON; null for the first page.
    public init(_ reader: ParamsReader, page: JSONValue) throws(RPCError) {
        self.page = PageToken(page)
        if self.page == nil, page != .null { throw Parameters.page.refusal }
        let (filter, fields, cachePolicy, maxAge) = try Self.declaredWithoutPage.read(reader)
        self.filter = filter
        self.fields = fields
        freshness = FreshnessParams(cachePolicy, maxAge)
    }

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (page, filter, fields, cachePolicy, maxAge) = try Self.declared.read(reader)
        self.page = page
        self.filter = filter
        self.fields = fields
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The result of `RESOURCE/list`: `{"items", "page", "skipped"?, "missing"?, "source", "fetchedAt", "stale",
/// "fallback"?}`.
public struct ListResult: RPCResult {
    public let items: JSONTexts
    /// The page info as JSON: `{"current", "pages", "count", "next", "previous"}`.
    public let page: [UInt8]
    /// The invalid items that the page omits, as JSON: `[{"index", "path", "message"}]`. Nil if there are none.
    public let skipped: [UInt8]?
    /// The ids of listed items that the API did not return, each as JSON. Nil if Larder did not request the items by
    /// id, because the API's list already contains them.
    public let missing: [[UInt8]]?
    public let provenance: Provenance

    /// Returns the JSON Schema of the result of `RESOURCE/list`.
    ///
    /// - Parameters:
    ///   - item: the schema of an item.
    ///   - page: the schema of a page token.
    public static func schema(item: JSONSchema, page: JSONSchema) -> JSONSchema {
        let info = JSONSchema.object([
            .required("current", page), .required("pages", .count.orNull), .required("count", .count.orNull),
            .required("next", page.orNull), .required("previous", page.orNull),
        ])
        let skipped = JSONSchema.object([
            .required("index", .count), .required("path", .string), .required("message", .string),
        ])
        return .object(
            [
                .required("items", .array(of: item)), .required("page", info),
                .optional("skipped", .array(of: skipped)),
                .optional(
                    "missing",
                    .array(of: .any(of: [.integer, .string])).described("The ids of items that could not be fetched.")),
            ] + Provenance.members)
    }

    public init(
        items: JSONTexts, page: [UInt8], skipped: [UInt8]? = nil, missing: [[UInt8]]? = nil, provenance: Provenance
    ) {
        self.items = items
        self.page = page
        self.skipped = skipped
        self.missing = missing
        self.provenance = provenance
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the members of the result into a JSON object that the caller has opened.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.key("items")
        writer.splice(array: items)
        writer.key("page")
        writer.splice(page)
        writeRest(to: &writer)
    }

    /// Writes all members of the result except `items` and `page` into a JSON object that the caller has opened.
    ///
    /// - Parameter now: the current time; nil to omit the page's age.
    public func writeRest(to writer: inout JSONWriter, now: Timestamp? = nil) {
        if let skipped {
            writer.key("skipped")
            writer.splice(skipped)
        }
        if let missing {
            writer.key("missing")
            writer.splice(array: missing)
        }
        provenance.write(to: &writer, now: now)
    }
}

/// The params of `RESOURCE/prefetch`: `{"filter"?, "maxPages"?, "workDoneToken"?}`.
public struct PrefetchParams: MethodParams, Equatable, Sendable {
    private static let maxPages = Parameter(
        "maxPages", "a number of pages from 1", "The largest number of pages; all if absent.", schema: .integer(from: 1)
    ) { view in
        view.integer.flatMap { $0 >= 1 ? $0 : nil }
    }

    public static let declared = ParameterList(
        Parameters.filter.optional, maxPages.optional, Parameters.workDoneToken.optional)

    public var filter: FilterParam?
    /// The maximum number of pages to read; nil for all pages.
    public var maxPages: Int?

    public init(_ reader: ParamsReader) throws(RPCError) {
        (filter, maxPages, _) = try Self.declared.read(reader)
    }
}

/// The result of `RESOURCE/prefetch`: `{"pages", "items", "fetched", "reused", "complete"}`. The number of `pages` is
/// the sum of `fetched` and `reused`.
public struct PrefetchResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object(
        JSONSchema.counts("pages", "items", "fetched", "reused") + [
            .required(
                "complete",
                .boolean.orNull.described("Whether all items of the list were read; null if unknown."))
        ])

    private let pages: Int
    private let items: Int
    private let fetched: Int
    private let reused: Int
    /// Whether the prefetch has read all items of the list; nil if unknown.
    private let complete: Bool?

    public init(pages: Int, items: Int, fetched: Int, reused: Int, complete: Bool?) {
        self.pages = pages
        self.items = items
        self.fetched = fetched
        self.reused = reused
        self.complete = complete
    }

    public func write(to writer: inout JSONWriter) {
        writer.value([
            "pages": .integer(pages), "items": .integer(items), "fetched": .integer(fetched),
            "reused": .integer(reused), "complete": complete.map { .bool($0) } ?? .null,
        ])
    }
}
