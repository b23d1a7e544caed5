import JSON

/// A request for one page of a list.
public struct PageRequest: Equatable, Sendable {
    public let page: PageToken
    /// The filters of the list, sorted by name.
    public let filters: [Filter]

    /// A filter of a list with its value.
    public struct Filter: Equatable, Sendable {
        /// The name of the filter in the catalog.
        public let name: String
        /// The filter's value: a string, a number or a boolean.
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a request. The order of the filters does not matter.
    public init(page: PageToken = .number(1), filters: [Filter] = []) {
        self.page = page
        self.filters = filters.sorted { $0.name < $1.name }
    }

    /// The page token and the filters as canonical JSON. Equal requests have equal JSON.
    public var canonical: String {
        JSONValue.object(JSONObject([("page", page.json), ("filter", filter)])).text
    }

    /// The filters as canonical JSON. They are the same for all pages of a list.
    public var canonicalList: String { filter.text }

    private var filter: JSONValue { .object(JSONObject(filters.map { ($0.name, $0.value) })) }
}
