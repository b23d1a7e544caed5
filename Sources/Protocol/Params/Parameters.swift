import JSON

/// The parameters that methods share.
enum Parameters {
    static let id = Parameter(
        "id", "an integer or a string", "Which item.", schema: .any(of: [.integer, .string])
    ) { IdentifierParam($0) }
    static let ids = Parameter(
        "ids", "an array of integers or strings", "Which items.", schema: .array(of: id.schema())
    ) { list($0) { IdentifierParam($0) } }
    static let cachePolicy = Parameter(
        "cachePolicy", "one of \(CachePolicyParam.names)", "Which of cache and API is asked.",
        schema: .one(of: CachePolicyParam.allCases.map(\.rawValue)).byDefault(
            .string(FreshnessParams.standard.cachePolicy.rawValue))
    ) { view in
        CachePolicyParam.allCases.first { view.isString($0.rawValue) }
    }
    static let maxAge = Parameter(
        "maxAge", "a duration: seconds, or \"90s\", \"5m\", \"12h\", \"30d\"",
        "How old an answer from the cache may be.",
        schema: duration
    ) { Quantity.milliseconds($0) }
    static let olderThan = Parameter(
        "olderThan", maxAge.expected, "Only what was fetched longer ago.", schema: duration
    ) { Quantity.milliseconds($0) }
    static let page = Parameter(
        "page", "a page number from 1, or the string that came as 'next' or 'previous'",
        "Which page; the first if absent.",
        schema: .any(of: [.integer(from: 1), .string(minLength: 1)])
    ) { PageParam($0) }
    static let filter = Parameter(
        "filter", "an object of strings, numbers or booleans", "Which items of the list.",
        schema: .map(of: FilterParam.valueSchema)
    ) { FilterParam($0) }
    static let resource = Parameter("resource", "the name of a resource", "Of which resource.", schema: .string) {
        $0.string
    }
    static let scope = Parameter(
        "scope", "a string", "Which list of searches.", schema: .string.byDefault(.string(RecentsScopeParams.standard))
    ) { $0.string }
    static let text = Parameter(
        "text", "a string that is not blank", "The search.", schema: .string(pattern: notBlank)
    ) { view in
        view.string.flatMap { $0.unicodeScalars.contains { !$0.properties.isWhitespace } ? $0 : nil }
    }
    static let processId = Parameter(
        "processId", "an integer", "The client's process: the server ends soon after it.", schema: .integer(from: .min)
    ) { $0.integer }
    static let requestId = Parameter(
        "id", "the id of a request", "Which request.", schema: .any(of: [.string, .number])
    ) { RequestID($0) }

    /// `Quantity` takes up to 100,000 days; of a text, a pattern tells only the form.
    private static let duration = JSONSchema.any(of: [
        .number(in: 0...100_000 * 86_400), .string(pattern: #"^([0-9]+\.?[0-9]*|\.[0-9]+) *[smhd]?$"#),
    ])

    /// A character that is not white space as Unicode has it (White_Space): `\S` is another set in each language.
    private static let notBlank =
        #"[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"#

    static let maxPages = Parameter(
        "maxPages", "a number of pages from 1", "How many pages at most; all if absent.", schema: .integer(from: 1)
    ) { view in
        view.integer.flatMap { $0 >= 1 ? $0 : nil }
    }
    static let observer = Parameter(
        "observer", "a string that is not empty", "The observer's name.", schema: .string(minLength: 1)
    ) { view in
        view.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    static let traceValue = Parameter(
        "value", "one of \(TraceValue.names)", "How much is told from now on.", schema: traces
    ) { traceValue(of: $0) }
    static let trace = Parameter(
        "trace", traceValue.expected, "How much is told of what becomes of messages.", schema: traces
    ) { traceValue(of: $0) }
    static let workDoneToken = Parameter(
        "workDoneToken", "a string or an integer", "Under what the client wants to hear of the progress.",
        schema: .any(of: [.string, .integer(from: .min)])
    ) { ProgressToken($0) }

    private static let traces = JSONSchema.one(of: TraceValue.allCases.map(\.rawValue))

    private static func traceValue(of view: JSONView) -> TraceValue? {
        TraceValue.allCases.first { view.isString($0.rawValue) }
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
