import JSON

/// The parameters that methods share.
enum Parameters {
    static let id = Parameter("id", "an integer or a string") { IdentifierParam($0) }
    static let ids = Parameter("ids", "an array of integers or strings") { list($0) { IdentifierParam($0) } }
    static let cachePolicy = Parameter("cachePolicy", "one of \(CachePolicyParam.names)") { view in
        CachePolicyParam.allCases.first { view.isString($0.rawValue) }
    }
    static let maxAge = Parameter("maxAge", "a duration: seconds, or \"90s\", \"5m\", \"12h\", \"30d\"") {
        Quantity.milliseconds($0)
    }
    static let olderThan = Parameter("olderThan", maxAge.expected) { Quantity.milliseconds($0) }
    static let page = Parameter("page", "a page number from 1, or the string that came as 'next' or 'previous'") {
        PageParam($0)
    }
    static let filter = Parameter("filter", "an object of strings, numbers or booleans") { FilterParam($0) }
    static let resource = Parameter("resource", "the name of a resource") { $0.string }
    static let scope = Parameter("scope", "a string") { $0.string }
    static let text = Parameter("text", "a string that is not blank") { view in
        view.string.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
    static let processId = Parameter("processId", "an integer") { $0.integer }

    static let maxPages = Parameter("maxPages", "a number of pages from 1") { view in
        view.integer.flatMap { $0 >= 1 ? $0 : nil }
    }
    static let observer = Parameter("observer", "a string that is not empty") { view in
        view.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    static let traceValue = Parameter("value", "one of \(TraceValue.names)") { traceValue(of: $0) }
    static let trace = Parameter("trace", traceValue.expected) { traceValue(of: $0) }
    static let workDoneToken = Parameter("workDoneToken", "a string or an integer") { ProgressToken($0) }

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
