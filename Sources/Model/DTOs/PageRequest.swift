import JSON

/// Which page of which list is wanted.
public struct PageRequest: Equatable, Sendable {
    public let page: PageToken
    /// The filters by name, sorted by name.
    public let filters: [Filter]

    public struct Filter: Equatable, Sendable {
        /// The filter's name in the catalog.
        public let name: String
        /// A string, a number or a boolean.
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A page of a list; the filters in any order.
    public init(page: PageToken = .number(1), filters: [Filter] = []) {
        self.page = page
        self.filters = filters.sorted { $0.name < $1.name }
    }

    /// The request in one canonical text: equal requests have equal texts.
    public var canonical: String {
        JSONValue.object(JSONObject([("page", page.json), ("filter", filter)])).text
    }

    /// The list that the page is of, in one canonical text: equal for all pages of a list.
    public var canonicalList: String { filter.text }

    private var filter: JSONValue { .object(JSONObject(filters.map { ($0.name, $0.value) })) }
}
