import JSON
import Model

/// The parameters that several methods have in common.
enum Parameters {
    static let id = Parameter(
        "id", "an integer or a string", "Which item.", schema: .any(of: [.integer, .string])
    ) { identifier($0) }
    static let ids = Parameter(
        "ids", "an array of integers or strings", "Which items.", schema: .array(of: id.schema())
    ) { list($0) { identifier($0) } }
    static let cachePolicy = Parameter(
        "cachePolicy", "one of \(quoted(CachePolicy.allCases))", "Which of cache and API is asked.",
        schema: .one(of: CachePolicy.allCases.map(\.rawValue)).byDefault(
            .string(FreshnessParams.standard.cachePolicy.rawValue))
    ) { view in
        CachePolicy.allCases.first { view.isString($0.rawValue) }
    }
    /// `Quantity` takes up to 100,000 days; of a text, a pattern tells only the form.
    static let maxAge = Parameter(
        "maxAge", "a duration: seconds, or \"90s\", \"5m\", \"12h\", \"30d\"",
        "How old an answer from the cache may be.",
        schema: .any(of: [
            .number(in: 0...100_000 * 86_400), .string(pattern: #"^([0-9]+\.?[0-9]*|\.[0-9]+) *[smhd]?$"#),
        ])
    ) { Quantity.milliseconds($0) }
    static let page = Parameter(
        "page", "a number, or a string that came as 'next' or 'previous'", "Which page; the first if absent.",
        schema: .any(of: [.integer(from: .min), .string(minLength: 1)])
    ) { PageToken($0) }
    /// What a filter of a list takes says the catalog.
    static let filter = Parameter(
        "filter", "an object", "Which items of the list.", schema: .object
    ) { FilterParam($0) }
    static let fields = Parameter(
        "fields", "an array of one or more names of fields, such as [\"id\", \"owner.name\"]",
        "Which fields the items show; all if absent.", schema: .array(ofSome: .string(minLength: 1))
    ) { FieldsParam($0) }
    /// Which values the items of a search have.
    static let values = Parameter(
        "filter", "an object of strings, numbers or booleans", "Which values the fields of an item have.",
        schema: .map(of: FilterParam.valueSchema)
    ) { FilterParam(scalars: $0) }
    static let observer = Parameter(
        "observer", "a string that is not empty", "The observer's name.", schema: .string(minLength: 1)
    ) { view in
        view.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    static let workDoneToken = Parameter(
        "workDoneToken", "a string or an integer", "Under what the client wants to hear of the progress.",
        schema: .any(of: [.string, .integer(from: .min)])
    ) { ProgressToken($0) }

    /// The texts of a choice, as messages list them.
    static func quoted<Choice: RawRepresentable<String>>(_ choices: [Choice]) -> String {
        choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    /// The digits of a number without fraction and exponent, or the string; nil for anything else.
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

/// A list's filter: names with the values that an API is asked for, in the order of the names.
public struct FilterParam: Equatable, Sendable {
    /// The names and values, sorted by name; a name stands once.
    public let members: [Member]

    /// One name with its value.
    public struct Member: Equatable, Sendable {
        /// The filter's name in the catalog.
        public let name: String
        /// Any value but null; what it must be says the catalog.
        public let value: JSONValue
    }

    /// What a field's value in a search may be; one that is null counts as absent.
    public static let valueSchema = JSONSchema.any(of: [.string, .number, .boolean])

    /// An object without arrays and objects in it.
    init?(scalars view: JSONView) {
        guard view.members.allSatisfy({ $0.value.kind != .array && $0.value.kind != .object }) else { return nil }
        self.init(view)
    }

    init?(_ view: JSONView) {
        guard view.kind == .object else { return nil }
        var values: [String: JSONValue] = [:]
        for member in view.members {
            guard let name = member.key.string else { return nil }
            // Not `nil`, which would be a JSON null.
            values[name] = member.value.isNull ? .none : .some(JSONValue(member.value))
        }
        members = values.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) }
    }
}

/// How fresh an answer must be: `{"cachePolicy"?, "maxAge"?}` among the params of a method.
public struct FreshnessParams: Equatable, Sendable {
    /// Where the request says nothing.
    public static let standard = FreshnessParams(nil, nil)

    /// `localFirst` where the request says nothing.
    public let cachePolicy: CachePolicy
    /// The largest age in milliseconds at which a cached value is still fresh.
    public let maxAge: Int?

    init(_ cachePolicy: CachePolicy?, _ maxAge: Int?) {
        self.cachePolicy = cachePolicy ?? .localFirst
        self.maxAge = maxAge
    }
}
