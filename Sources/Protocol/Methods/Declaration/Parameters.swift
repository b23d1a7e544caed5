import JSON
import Model
import System

/// The declarations of parameters that several methods share.
enum Parameters {
    static let id = Parameter(
        "id", "an integer or a string", "The id of the item.", schema: .any(of: [.integer, .string])
    ) { identifier($0) }
    static let ids = Parameter(
        "ids", "an array of integers or strings", "The ids of the items.", schema: .array(of: id.schema())
    ) { list($0) { identifier($0) } }
    static let cachePolicy = Parameter(
        "cachePolicy", "one of \(quoted(CachePolicy.allCases))", "When the cache and the API are asked.",
        schema: .one(of: CachePolicy.allCases.map(\.rawValue)).byDefault(
            .string(FreshnessParams.standard.cachePolicy.rawValue))
    ) { view in
        CachePolicy.allCases.first { view.isString($0.rawValue) }
    }
    /// The parameter `maxAge`, a duration of at most 100,000 days.
    // For a duration as a string, the schema checks only the form, not this limit.
    static let maxAge = Parameter(
        "maxAge", "a duration: seconds, or \"90s\", \"5m\", \"12h\", \"30d\"",
        "The largest age of an answer from the cache.",
        schema: .any(of: [
            .number(in: 0...100_000 * 86_400), .string(pattern: #"^([0-9]+\.?[0-9]*|\.[0-9]+) *[smhd]?$"#),
        ])
    ) { Quantity.milliseconds($0) }
    static let page = Parameter(
        "page", "a number, or a string from 'next' or 'previous' of a page", "The page; the first if absent.",
        schema: .any(of: [.integer(from: .min), .string(minLength: 1)])
    ) { PageToken($0) }
    /// The parameter `filter` of list requests. The catalog defines the filter names of each list.
    static let filter = Parameter(
        "filter", "an object", "The filters of the list, by name.", schema: .object
    ) { FilterParam($0) }
    static let fields = Parameter(
        "fields", "an array of one or more names of fields, such as [\"id\", \"owner.name\"]",
        "The fields to return; all if absent.", schema: .array(ofSome: .string(minLength: 1))
    ) { FieldsParam($0) }
    /// The parameter `filter` of search requests. It contains the names of item fields with their required values.
    static let values = Parameter(
        "filter", "an object of strings, numbers or booleans", "The values that fields of the item must have.",
        schema: .map(of: FilterParam.valueSchema)
    ) { FilterParam(scalars: $0) }
    static let observer = Parameter(
        "observer", "a string that is not empty", "The name of the observer.", schema: .string(minLength: 1)
    ) { view in
        view.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    static let workDoneToken = Parameter(
        "workDoneToken", "a string or an integer", "The token for progress notifications of this request.",
        schema: .any(of: [.string, .integer(from: .min)])
    ) { ProgressToken($0) }

    /// Returns the quoted names of an enumeration's cases for an error message.
    static func quoted<Choice: RawRepresentable<String>>(_ choices: [Choice]) -> String {
        choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    /// Returns an id as a string: the string itself, or the digits of an integer. Returns nil for a value that is
    /// neither.
    private static func identifier(_ view: JSONView) -> String? {
        switch view.kind {
        case .string: view.string ?? ""
        case .number where isInteger(view.token): view.number ?? ""
        default: nil
        }
    }

    private static func isInteger(_ token: UnsafeRawBufferPointer) -> Bool {
        for byte in token where byte != UInt8(ascii: "-") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            return false
        }
        return true
    }

    private static func list<Element>(_ view: JSONView, _ element: (JSONView) -> Element?) -> [Element]? {
        guard view.kind == .array else { return nil }
        var out: [Element] = []
        for item in view.elements {
            guard let value = element(item) else { return nil }
            out.append(value)
        }
        return out
    }
}

/// The `filter` parameter of a list or search request: names and their required values.
public struct FilterParam: Equatable, Sendable {
    /// The names and values in the filter, sorted by name. Each name occurs only once.
    public let members: [Member]

    /// One name in a filter, with the required value.
    public struct Member: Equatable, Sendable {
        /// The name of a filter of the list; in a search, the name of an item's field.
        public let name: String
        /// The required value, as the client sent it. The value is never null.
        public let value: JSONValue
    }

    /// The JSON Schema of one value in the `filter` parameter of a search. The server also accepts `null`, and ignores
    /// it.
    public static let valueSchema = JSONSchema.any(of: [.string, .number, .boolean])

    /// Creates the filter of a search from a JSON object. Returns nil if a value is an array or an object.
    init?(scalars view: JSONView) {
        guard view.members.allSatisfy({ $0.value.kind != .array && $0.value.kind != .object }) else { return nil }
        self.init(view)
    }

    init?(_ view: JSONView) {
        guard view.kind == .object else { return nil }
        var values: [(name: String, value: JSONValue)] = []
        for member in view.members {
            guard let name = member.key.string else { return nil }
            values.append((name, JSONValue(member.value)))
        }
        self.init(values)
    }

    /// Creates a filter. If a name occurs several times, only its last value is used. If this value is null, the filter
    /// omits the name.
    public init(_ members: [(name: String, value: JSONValue)]) {
        var values: [String: JSONValue] = [:]
        for (name, value) in members {
            // `.none` is needed, because the literal `nil` would be a JSON null.
            values[name] = value == .null ? .none : .some(value)
        }
        self.members = values.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) }
    }
}

/// The freshness that a client requires of an answer: the params `cachePolicy` and `maxAge` of a request.
public struct FreshnessParams: Equatable, Sendable {
    /// The freshness that a request requires if it sets neither `cachePolicy` nor `maxAge`.
    public static let standard = FreshnessParams(nil, nil)

    /// The cache policy; `localFirst` if the request has no policy.
    public let cachePolicy: CachePolicy
    /// The maximum age of a fresh value, in milliseconds. If nil, only the resource's rule in the catalog limits the
    /// age.
    public let maxAge: Milliseconds?

    init(_ cachePolicy: CachePolicy?, _ maxAge: Milliseconds?) {
        self.cachePolicy = cachePolicy ?? .localFirst
        self.maxAge = maxAge
    }
}
