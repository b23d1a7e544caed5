import JSON
import Model
import System

/// The params of `cache/remove` and `cache/invalidate`:
/// `{"resource"?, "scope"?, "id"? or "ids"? or "pages"?, "olderThan"?}`.
public struct CacheSelectionParams: MethodParams, Equatable, Sendable {
    private static let olderThan = Parameter(
        "olderThan", Parameters.maxAge.expected, "Only entries that were fetched longer ago than this duration.",
        schema: Parameters.maxAge.schema()
    ) { Quantity.milliseconds($0) }
    private static let resource = Parameter(
        "resource", "the name of a resource", "The resource; all resources if absent.", schema: .string
    ) { $0.string }

    private static let scope = Parameter(
        "scope", "an object of strings, numbers or booleans",
        "Only entries below these parents; a parent that is left out may have any value.",
        schema: .map(of: FilterParam.valueSchema)
    ) { FilterParam(scalars: $0) }

    private static let pages = Parameter(
        "pages", "true, or {\"filter\": {...}}",
        "Only pages, without items: the pages of all lists, or those of the list with this filter.",
        schema: .any(of: [.true, .object([.required("filter", Parameters.filter.schema())])])
    ) { Pages($0) }
    public static let declared = ParameterList(
        resource.optional, scope.optional, Parameters.id.optional, Parameters.ids.optional, pages.optional,
        olderThan.optional)

    /// The pages to remove or invalidate: all pages, or the pages that were requested with a given filter.
    public enum Pages: Equatable, Sendable {
        case all
        /// The pages that were requested with the given filter.
        case list(FilterParam)

        init?(_ view: JSONView) {
            if view.bool == true {
                self = .all
                return
            }
            var members = view.members
            guard let member = members.next(), members.next() == nil, member.key.isString("filter"),
                let filter = FilterParam(member.value)
            else {
                return nil
            }
            self = .list(filter)
        }
    }

    /// The name of the resource whose entries are removed or invalidated; nil for all resources.
    public let resource: String?
    /// The scope values of the entries to remove or invalidate; nil for entries of all scopes.
    public let scope: FilterParam?
    /// The ids of the items to remove or invalidate; nil if the request does not select items by id.
    public let ids: [String]?
    /// The pages to remove or invalidate; nil if the request does not select pages.
    public let pages: Pages?
    /// The minimum age of the entries to remove or invalidate, in milliseconds; nil for entries of any age.
    public let olderThan: Milliseconds?

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (resource, scope, id, ids, pages, olderThan) = try Self.declared.read(reader)
        if id != nil, ids != nil { throw RPCError(.invalidParams, "'id' and 'ids' cannot be combined; pass only one") }
        if id != nil || ids != nil, pages != nil {
            throw RPCError(
                .invalidParams, "'pages' and '\(id == nil ? "ids" : "id")' cannot be combined; pass only one")
        }
        self.resource = resource
        self.scope = scope?.members.isEmpty == true ? nil : scope
        // An empty scope also needs a resource, because a client that sends a scope does not mean all resources.
        if scope != nil, resource == nil {
            throw RPCError(.invalidParams, "'resource' is missing: 'scope' requires it")
        }
        self.ids = id.map { [$0] } ?? ids
        self.pages = pages
        self.olderThan = olderThan
        if self.ids != nil, resource == nil {
            throw RPCError(.invalidParams, "'resource' is missing: 'id' and 'ids' require it")
        }
        if case .list = pages, resource == nil {
            throw RPCError(.invalidParams, "'resource' is missing: a filter in 'pages' requires it")
        }
    }
}

/// The result of `cache/remove` and `cache/invalidate`: `{"removed": n}` or `{"invalidated": n}`.
public struct CountResult: RPCResult, Equatable {
    public let name: String
    public let count: Int

    public static func schema(_ name: String) -> JSONSchema { .object([.required(name, .count)]) }

    public init(_ name: String, _ count: Int) {
        self.name = name
        self.count = count
    }

    public func write(to writer: inout JSONWriter) {
        writer.value(.object(JSONObject([(name, .integer(count))])))
    }
}
