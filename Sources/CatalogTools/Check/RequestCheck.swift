import Catalog
import JSON

/// Finds what a catalog asks for in vain: places and filters that go nowhere, and GraphQL that cannot be sent. It goes
/// by the text alone, so that what is wrong elsewhere hides nothing.
struct RequestCheck {
    private let resource: JSONView
    /// The names of the resource's scope.
    private let scope: [(name: String, key: JSONView)]
    /// The query parameter of the API's key; nil where it has none.
    private let keyParameter: String?

    static func look(at root: JSONView, _ found: inout Findings) {
        let (index, apis) = (MemberIndex(), root["apis"])
        for resource in root["resources"]?.members.map({ $0.value }) ?? [] {
            let api = apis.flatMap { apis in resource["api"]?.string.flatMap { index.member($0, of: apis) } }
            RequestCheck(resource, api).look(&found)
        }
    }

    private init(_ resource: JSONView, _ api: JSONView?) {
        self.resource = resource
        scope = resource["scope"]?.members.map { ($0.key.string ?? "", $0.key) } ?? []
        let key = api?["auth"]?["apiKey"]
        keyParameter = key?["in"]?.isString("query") == true ? key?["name"]?.string : nil
    }

    /// The keys whose texts are selectors.
    private static let selectors = [
        "item", "items", "count", "pages", "more", "last", "next", "previous", "pageInfo", "from", "when", "message",
        "merge",
    ]

    /// Other tools write paths otherwise: `$.results`, `/results`, `results[0]`.
    private static func lookAtSelectors(in view: JSONView, _ found: inout Findings) {
        for element in view.elements { lookAtSelectors(in: element, &found) }
        for member in view.members {
            // What is sent has names of its own.
            guard let key = member.key.string, !["query", "headers", "body", "filters"].contains(key) else { continue }
            lookAtSelectors(in: member.value, &found)
            guard selectors.contains(key), let path = member.value.string,
                path.hasPrefix("$.") || path.hasPrefix("/") || path.contains("[")
            else { continue }
            let steps = path.split { "$/[].".contains($0) }.joined(separator: ".")
            found.warnings.add(
                { "a selector is a dotted path: '\(steps)', not '\(path)'" }, at: member.value.offset)
        }
    }

    private func look(_ found: inout Findings) {
        for key in ["id", "fields", "rest", "graphql"] {
            if let part = resource[key] { Self.lookAtSelectors(in: part, &found) }
        }
        let isREST = resource["graphql"] == nil
        guard let operations = resource[isREST ? "rest" : "graphql"] else { return }
        for name in OperationName.allCases {
            guard let operation = operations[name.rawValue] else { continue }
            if isREST {
                look(atREST: name, operation, &found)
            } else {
                GraphQLCheck(operation, name, scope: scope.map(\.name)).look(&found)
            }
            if name == .list { FilterCheck(operation, keyParameter: keyParameter).look(&found) }
        }
        lookAtScope(operations, isREST: isREST, &found)
    }

    private func look(atREST name: OperationName, _ operation: JSONView, _ found: inout Findings) {
        guard name == .get, let path = operation["path"], path.kind == .string,
            !Self.places(in: operation).contains("id")
        else { return }
        found.warnings.add({ "'path' has no '{id}': every id gets the same answer" }, at: path.offset)
    }

    /// Items of different parents are kept apart, so a list that does not say of which it asks keeps the same ones for
    /// each. An id may be one of all parents.
    private func lookAtScope(_ operations: JSONView, isREST: Bool, _ found: inout Findings) {
        let declared = operations.members.filter { member in
            OperationName.allCases.contains { member.key.isString($0.rawValue) } && member.value.kind == .object
        }
        let used = declared.map { member in
            isREST ? Self.places(in: member.value) : member.value["query"]?.string.map { Self.variables(in: $0) }
        }
        for (name, key) in scope where !declared.isEmpty {
            let without = zip(declared, used).filter { $0.1?.contains(name) == false }.map(\.0)
            if without.count == declared.count {
                found.warnings.add({ "the scope '\(name)' is used by no operation" }, at: key.offset)
                continue
            }
            for list in without where list.key.isString("list") {
                found.warnings.add(
                    { "'list' does not use the scope '\(name)': for each it gets the same answer" }, at: list.key.offset
                )
            }
        }
    }

    /// The names between braces in what an operation sends: `{id}`, `{+path}`.
    private static func places(in operation: JSONView) -> Set<String> {
        var names: Set<String> = []
        for key in ["path", "query", "headers", "body"] {
            if let view = operation[key] { collectPlaces(in: view, &names) }
        }
        return names
    }

    private static func collectPlaces(in view: JSONView, _ names: inout Set<String>) {
        switch view.kind {
        case .string:
            for part in (view.string ?? "").split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
                guard let close = part.firstIndex(of: "}") else { continue }
                let name = part[..<close]
                names.insert(String(name.first == "+" ? name.dropFirst() : name))
            }
        case .array: for element in view.elements { collectPlaces(in: element, &names) }
        case .object: for member in view.members { collectPlaces(in: member.value, &names) }
        default: break
        }
    }

    /// The names behind each `$` in a GraphQL document.
    private static func variables(in query: String) -> Set<String> {
        Set(
            query.split(separator: "$", omittingEmptySubsequences: false).dropFirst().map { part in
                String(part.prefix { $0 == "_" || $0.isLetter || $0.isNumber })
            })
    }
}

/// Finds filters of a list that get in each other's way.
private struct FilterCheck {
    private let filters: [ListedFilter]
    private let isPost: Bool
    private let isREST: Bool
    private let keyParameter: String?
    /// What a `POST` sends besides; nil where it has none.
    private let body: JSONView?

    init(_ list: JSONView, keyParameter: String?) {
        filters = ListedFilter.all(of: list)
        isREST = list["query"]?.kind != .string
        isPost = list["method"]?.isString("POST") == true
        body = isPost ? list["body"] : nil
        self.keyParameter = keyParameter
    }

    func look(_ found: inout Findings) {
        let index = MemberIndex()
        var before = SentParameters()
        for filter in filters {
            if isREST, filter.parameter == keyParameter {
                found.warnings.add(
                    { "the filter '\(filter.name)' is sent as '\(filter.parameter)', which is the API's key" },
                    at: filter.key.offset)
            }
            if let place = filter.value["in"], isREST, !isPost {
                found.warnings.add(
                    { "'in' goes with \"method\": \"POST\": a GET has its query alone" }, at: place.offset)
            }
            let isInBody = !isInQuery(filter)
            if isInBody, let body, body.kind != .object {
                found.warnings.add(
                    { "the filter '\(filter.name)' is never sent: 'body' is no object" }, at: filter.key.offset)
            } else if isInBody, let step = lostStep(of: filter.parameter, index) {
                found.warnings.add(
                    {
                        "the filter '\(filter.name)' is sent as '\(filter.parameter)', and takes the place of '\(step)' in"
                            + " 'body', which is no object"
                    }, at: filter.key.offset)
            }
            // A `POST` has two places for parameters, which know nothing of each other.
            let place = SentParameters.Place(parameter: filter.parameter, isInQuery: isPost && !isInBody)
            if let other = before.add(filter, at: place) {
                found.warnings.add(
                    {
                        "the filters '\(other.name)' and '\(filter.name)' are both sent as '\(filter.parameter)'; for one"
                            + " text made of both give each an 'as'"
                    }, at: filter.key.offset)
            }
        }
    }

    /// Where a dotted name leads through something in the body that has no members; nil where nothing is lost.
    private func lostStep(of parameter: String, _ index: MemberIndex) -> String? {
        var inner = body
        var steps: [Substring] = []
        for step in parameter.split(separator: ".", omittingEmptySubsequences: false).dropLast() {
            steps.append(step)
            inner = inner.flatMap { index.member(String(step), of: $0) }
            if let inner, inner.kind != .object { return steps.joined(separator: ".") }
        }
        return nil
    }

    private func isInQuery(_ filter: ListedFilter) -> Bool { filter.value["in"]?.isString("query") == true }
}

/// The parameters that the filters so far are sent as.
private struct SentParameters {
    struct Place: Hashable {
        let parameter: String
        let isInQuery: Bool
    }

    private var first: [Place: ListedFilter] = [:]
    /// The first filter that is no part of a text that several make up.
    private var firstWhole: [Place: ListedFilter] = [:]

    /// Adds a filter. Returns the first one before it that is sent in the same place; several parts of one text do not
    /// count.
    mutating func add(_ filter: ListedFilter, at place: Place) -> ListedFilter? {
        let other = filter.isComposed ? firstWhole[place] : first[place]
        if first[place] == nil { first[place] = filter }
        if !filter.isComposed, firstWhole[place] == nil { firstWhole[place] = filter }
        return other
    }
}

/// A filter as it is written.
struct ListedFilter {
    let name: String
    let key: JSONView
    let value: JSONView
    /// The query parameter, the member of a body, or the variable.
    let parameter: String

    static func all(of list: JSONView) -> [ListedFilter] {
        (list["filters"]?.members.map { $0 } ?? []).map { member in
            let name = member.key.string ?? ""
            let written = member.value.kind == .object ? member.value["param"] : member.value
            return ListedFilter(
                name: name, key: member.key, value: member.value,
                parameter: written.flatMap { $0.string ?? $0.number } ?? name)
        }
    }

    /// Whether it is a part of a text that several make up.
    var isComposed: Bool { value["as"] != nil }

    /// Whether every request has it.
    var isAlwaysSent: Bool {
        value["required"]?.bool == true || value["default"].map { !$0.isNull } ?? false
    }
}
