import Catalog
import JSON

/// Checks the requests of a catalog. Finds placeholders and filters without effect, and GraphQL documents that the API
/// would reject.
///
/// The check reads the text of the catalog, and therefore also works if the catalog cannot be decoded.
struct RequestCheck {
    private let resource: JSONView
    /// The names of the resource's scope parameters.
    private let scope: [(name: String, key: JSONView)]
    /// The name of the query parameter that carries the API key; nil if there is none.
    private let keyParameter: String?

    static func check(_ root: JSONView, _ found: inout Findings) {
        let (index, apis) = (MemberIndex(), root["apis"])
        for resource in root["resources"]?.members.map({ $0.value }) ?? [] {
            let api = apis.flatMap { apis in resource["api"]?.string.flatMap { index.member($0, of: apis) } }
            RequestCheck(resource, api).check(&found)
        }
    }

    private init(_ resource: JSONView, _ api: JSONView?) {
        self.resource = resource
        scope = resource["scope"]?.members.map { ($0.key.string ?? "", $0.key) } ?? []
        let key = api?["auth"]?["apiKey"]
        keyParameter = key?["in"]?.isString("query") == true ? key?["name"]?.string : nil
    }

    /// The keys of a catalog whose values are selectors.
    private static let selectors = [
        "item", "items", "count", "pages", "more", "last", "next", "previous", "pageInfo", "from", "when", "message",
        "merge",
    ]

    /// Warns of selectors in the syntax of other tools: `$.results`, `/results`, `results[0]`.
    private static func checkSelectors(in view: JSONView, _ found: inout Findings) {
        for element in view.elements { checkSelectors(in: element, &found) }
        for member in view.members {
            // The members of these objects are names of parameters, not keys of the catalog.
            guard let key = member.key.string, !["query", "headers", "body", "filters"].contains(key) else { continue }
            checkSelectors(in: member.value, &found)
            guard selectors.contains(key), let path = member.value.string,
                path.hasPrefix("$.") || path.hasPrefix("/") || path.split(separator: ".").contains(where: isIndexed)
            else { continue }
            let steps = path.split { "$/[].".contains($0) }.joined(separator: ".")
            found.warnings.add(
                { "'\(path)' is not a selector: a selector is a dotted path; write '\(steps)'" },
                at: member.value.offset)
        }
    }

    /// Whether a part of a selector path contains an array index, as in `results[0]`. Brackets around a condition such
    /// as `[rel=next]` are not an index.
    private static func isIndexed(_ step: Substring) -> Bool {
        step.contains("[") && !(step.hasPrefix("[") && step.hasSuffix("]") && step.contains("="))
    }

    private func check(_ found: inout Findings) {
        for key in ["id", "fields", "rest", "graphql"] {
            if let part = resource[key] { Self.checkSelectors(in: part, &found) }
        }
        let isREST = resource["graphql"] == nil
        guard let operations = resource[isREST ? "rest" : "graphql"] else { return }
        let declared = DeclaredOperation.all(in: operations)
        for operation in declared {
            if isREST {
                checkREST(operation, &found)
            } else {
                GraphQLCheck(operation, scope: scope.map(\.name)).check(&found)
            }
            if operation.kind == .sync { checkFilters(of: operation, &found) }
        }
        if let list = operations["list"] { FilterCheck(list, keyParameter: keyParameter).check(&found) }
        checkScope(declared, isREST: isREST, &found)
    }

    private func checkREST(_ operation: DeclaredOperation, _ found: inout Findings) {
        guard operation.kind == .get, let path = operation["path"], path.kind == .string,
            !Self.places(in: operation).contains("id")
        else { return }
        found.warnings.add(
            { "'path' does not contain '{id}': all ids get the same answer; add the placeholder" }, at: path.offset)
    }

    /// Warns of each filter that every request sends, but that `sync` does not name. With such a filter, every sync
    /// reads the whole list.
    private func checkFilters(of sync: DeclaredOperation, _ found: inout Findings) {
        for filter in sync.filters where filter.isAlwaysSent && sync.name(of: filter) == nil {
            found.warnings.add(
                {
                    "every request sends the filter '\(filter.name)', which 'sync' does not name: each sync reads the"
                        + " whole list; name the filter in 'filters' of 'sync', or remove its"
                        + " '\(filter.isRequired ? "required" : "default")'"
                }, at: sync.key.offset)
        }
    }

    /// Warns of scope parameters that no operation uses, or that `list` or `sync` does not use. A list that does not
    /// use the scope returns the same items for each parent. A `get` need not use the scope, because ids can be unique
    /// across parents.
    private func checkScope(_ declared: [DeclaredOperation], isREST: Bool, _ found: inout Findings) {
        let used = declared.map { operation in
            isREST ? Self.places(in: operation) : operation["query"]?.string.map { Self.variables(in: $0) }
        }
        for (name, key) in scope where !declared.isEmpty {
            let without = zip(declared, used).filter { $0.1?.contains(name) == false }.map(\.0)
            if without.count == declared.count {
                found.warnings.add(
                    { "the scope '\(name)' is used by no operation; use it in an operation, or remove it" },
                    at: key.offset)
                continue
            }
            // If neither uses the scope, only `list` is reported, because `sync` can inherit its request from `list`.
            let lists = without.filter { $0.kind == .list || $0.kind == .sync }
            if let list = lists.first {
                found.warnings.add(
                    {
                        "'\(list.kind.rawValue)' does not use the scope '\(name)': all scopes get the same answer; use"
                            + " it in the request"
                    },
                    at: list.key.offset
                )
            }
        }
    }

    /// Returns the names of the placeholders that an operation uses, such as `{id}` and `{+path}`.
    private static func places(in operation: DeclaredOperation) -> Set<String> {
        var names: Set<String> = []
        for key in ["path", "query", "headers", "body"] {
            for view in operation.merged(key) { collectPlaces(in: view, &names) }
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

    /// Returns the names of all variables that occur in a GraphQL document.
    private static func variables(in query: String) -> Set<String> {
        Set(
            query.split(separator: "$", omittingEmptySubsequences: false).dropFirst().map { part in
                String(part.prefix { $0 == "_" || $0.isLetter || $0.isNumber })
            })
    }
}

/// Finds conflicts between a list's filters, and between its filters and the parameters that the list always sends.
private struct FilterCheck {
    private let filters: [ListedFilter]
    private let isPost: Bool
    private let isREST: Bool
    private let keyParameter: String?
    /// The member `body` of a list that is requested with `POST`; nil if there is none.
    private let body: JSONView?

    init(_ list: JSONView, keyParameter: String?) {
        filters = ListedFilter.all(of: list)
        isREST = list["query"]?.kind != .string
        isPost = list["method"]?.isString("POST") == true
        body = isPost ? list["body"] : nil
        self.keyParameter = keyParameter
    }

    func check(_ found: inout Findings) {
        let index = MemberIndex()
        var before = SentParameters()
        for filter in filters {
            if isREST, filter.parameter == keyParameter {
                found.warnings.add(
                    {
                        "the filter '\(filter.name)' is sent as '\(filter.parameter)', the parameter of the API key;"
                            + " choose another parameter"
                    }, at: filter.key.offset)
            }
            if let place = filter.value["in"], isREST, !isPost {
                found.warnings.add(
                    { "'in' has no effect: a GET has only a query; add \"method\": \"POST\"" }, at: place.offset)
            }
            let isInBody = !isInQuery(filter)
            if isInBody, let body, body.kind != .object {
                found.warnings.add(
                    { "the filter '\(filter.name)' is never sent: 'body' is not an object; make it an object" },
                    at: filter.key.offset)
            } else if isInBody, let step = lostStep(of: filter.parameter, index) {
                found.warnings.add(
                    {
                        "the filter '\(filter.name)' is sent as '\(filter.parameter)' and replaces '\(step)' in"
                            + " 'body', which is not an object; choose another parameter"
                    }, at: filter.key.offset)
            }
            // The query and the body of a `POST` are separate.
            let place = SentParameters.Place(parameter: filter.parameter, isInQuery: isPost && !isInBody)
            if let other = before.add(filter, at: place) {
                found.warnings.add(
                    {
                        "the filters '\(other.name)' and '\(filter.name)' are both sent as '\(filter.parameter)'; to"
                            + " combine both in one text, give each an 'as'"
                    }, at: filter.key.offset)
            }
        }
    }

    /// Finds the body member that cannot contain a parameter because it is not an object. For the parameter
    /// `page.size`, this is `page` if the body's member `page` is a number. Returns the path of the member; nil if
    /// there is none.
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

/// The query parameters and body members used by the filters checked so far.
private struct SentParameters {
    struct Place: Hashable {
        let parameter: String
        let isInQuery: Bool
    }

    private var first: [Place: ListedFilter] = [:]
    /// For each parameter, the first filter that sets the parameter's whole value.
    private var firstWhole: [Place: ListedFilter] = [:]

    /// Adds a filter. Returns the earlier filter that conflicts with the added filter; nil if there is none. Filters
    /// with the same parameter conflict, unless each filter sets only a part of the parameter's value.
    mutating func add(_ filter: ListedFilter, at place: Place) -> ListedFilter? {
        let other = filter.isComposed ? firstWhole[place] : first[place]
        if first[place] == nil { first[place] = filter }
        if !filter.isComposed, firstWhole[place] == nil { firstWhole[place] = filter }
        return other
    }
}

/// A filter as declared in the catalog.
struct ListedFilter {
    let name: String
    let key: JSONView
    let value: JSONView
    /// The name of the query parameter, body member or variable that carries the filter.
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

    /// Whether the filter sets only a part of its parameter's value, such as `label:bug` in `label:bug author:ann`.
    var isComposed: Bool { value["as"] != nil }

    var isRequired: Bool { value["required"]?.bool == true }

    /// Whether every request sends the filter.
    var isAlwaysSent: Bool { isRequired || value["default"].map { !$0.isNull } ?? false }
}
