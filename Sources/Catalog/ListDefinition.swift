import JSON
import Model

/// The description of a list: the parameters of its requests, and the selectors for its responses. Used for both REST
/// and GraphQL.
public struct ListDefinition: Equatable, Sendable {
    /// The selector that finds the items in the response.
    public var items: JSONSelector = .whole
    /// The filters, in the order in which the catalog declares them.
    public var filters: [FilterDefinition] = []
    /// The pagination style of the list.
    public var pagination = Pagination(SinglePage())
    /// Whether a 'not found' response to a list request with filters means an empty page.
    public var emptyOnNotFound = false
    /// Whether a response without the array of items counts as an empty list. Otherwise such a response is an error.
    public var isEmptyIfMissing = false
    /// Whether the elements of the list are ids instead of items.
    public var isOfIDs = false
    /// Whether Larder fetches each item of the list by its id, because the list does not contain all fields.
    public var isHydrated = false
    /// Whether each item in the list has all fields. If true, cached items of the list can answer a later `get`.
    public var isComplete = true
    /// The part of the request that carries filters and pagination: the query, the body or the GraphQL variables.
    public var sending = Sending.query

    /// The place of the change token in the responses to list requests. A sync sends this token in its next request for
    /// changes. Nil if a sync needs no token from these responses.
    public var token: ChangeTokenSource?

    /// The part of a request that carries filters and pagination.
    public enum Sending: Equatable, Sendable {
        /// The query of a `GET`.
        case query
        /// The body of a `POST`. A parameter can be sent in the query instead (`ListParameter.place`).
        case body
        /// The variables of a GraphQL operation.
        case variables
    }

    /// The kind of page tokens that the list accepts: numbers, or tokens that only the API understands.
    public var pageForm: PageForm { pagination.style.form }

    /// The token of the list's first page.
    public var firstPage: PageToken { pagination.style.first }

    /// Returns the query parameters, body members or variables that request a page.
    ///
    /// The parameters of the pagination come first. The filters follow in the order of the catalog; unknown filters are
    /// left out. In a body or in variables, a parameter such as `page.size` always follows its parent `page`.
    ///
    /// - Throws: `APIError.invalidRequest` for an invalid page token, and for a parameter that is nested in a parameter
    ///   whose value is not an object.
    package func parameters(of request: PageRequest) throws(APIError) -> [ListParameter] {
        guard pageForm.takes(request.page) || request.page == firstPage else {
            throw APIError(.invalidRequest, "the page must be \(pageForm.expected)")
        }
        // The cursor of a later page may already contain the filters. Such filters are not sent again.
        let own = try pagination.parameters(of: request.page)
        let filters = parameters(of: request.filters).filter { filter in
            !own.contains { $0.name == filter.name && place(of: $0) == place(of: filter) }
        }
        return try ordered(own + filters)
    }

    /// Returns the part of the request that carries a parameter: the query or the body. GraphQL variables count as the
    /// body.
    private func place(of parameter: ListParameter) -> ListParameter.Place {
        switch sending {
        case .query: .query
        case .body: parameter.place ?? .body
        case .variables: .body
        }
    }

    /// Sorts the parameters so that parents come before nested parameters. A parent that is set after its nested
    /// parameter would overwrite the nested value.
    private func ordered(_ parameters: [ListParameter]) throws(APIError) -> [ListParameter] {
        let nesting = parameters.filter { place(of: $0) == .body }
        guard nesting.contains(where: { $0.name.utf8.contains(UInt8(ascii: ".")) }) else { return parameters }
        var outer: [ListParameter] = []
        var inner: [ListParameter] = []
        for parameter in parameters {
            let isNesting = place(of: parameter) == .body
            let holders = isNesting ? nesting.filter { parameter.isInside($0) } : []
            if let holder = holders.first(where: { !$0.accepts(parameter) }) {
                throw APIError(
                    .invalidRequest,
                    "'\(holder.name)' must be an object, because Larder sends '\(parameter.name)' inside of"
                        + " '\(holder.name)'; pass an object")
            }
            if holders.isEmpty { outer.append(parameter) } else { inner.append(parameter) }
        }
        // A nested parameter can contain another parameter: `a.b` contains `a.b.c`.
        let depths = Set(inner.map(\.steps.count)).sorted()
        return outer + depths.flatMap { depth in inner.filter { $0.steps.count == depth } }
    }

    /// Returns the request parameters for the given filters. Filters that share a query parameter become one parameter
    /// with a value such as `label:bug author:ann`.
    private func parameters(of given: [PageRequest.Filter]) -> [ListParameter] {
        var parameters: [ListParameter] = []
        var composed: [String: (index: Int, parts: [String])] = [:]
        for filter in filters {
            guard let value = given.first(where: { $0.name == filter.name })?.value else { continue }
            guard filter.isComposed else {
                parameters.append(
                    ListParameter(filter.parameter, value, join: filter.join, place: filter.place))
                continue
            }
            let index = composed[filter.parameter]?.index ?? parameters.count
            let parts = (composed[filter.parameter]?.parts ?? []) + filter.parts(value)
            composed[filter.parameter] = (index, parts)
            let siblings = filters.filter { $0.isComposed && $0.parameter == filter.parameter }
            let text = parts.joined(separator: siblings.first?.with ?? " ")
            let wrapped = siblings.compactMap(\.wrap).first?.replacing("{}", with: text, maxReplacements: 1) ?? text
            let parameter = ListParameter(filter.parameter, .string(wrapped), place: filter.place)
            if index < parameters.count { parameters[index] = parameter } else { parameters.append(parameter) }
        }
        return parameters
    }
}

/// A parameter of a list request, with its value. A parameter is a query parameter, a body member or a GraphQL
/// variable.
public struct ListParameter: Equatable, Sendable {
    /// The name of the parameter. In a body or in variables, a dot separates the names of nested objects: `page.size`.
    public let name: String
    /// The parameter's value: a string in a query, a JSON value in a body or a variable.
    public let value: JSONValue
    /// The format of an array in a query.
    public let join: Join
    /// The part of a `POST` request that carries the parameter; nil for the default, which is the body.
    public let place: Place?

    /// The ways to write an array in a query: as one parameter or as several.
    public enum Join: Equatable, Sendable {
        /// All values in one parameter, joined by the associated separator: `a=1,2`.
        case by(String)
        /// One parameter for each value: `a=1&a=2`.
        case repeated
    }

    /// The part of a `POST` request that carries a parameter.
    public enum Place: String, CaseIterable, Sendable {
        case query, body
    }

    public init(_ name: String, _ value: JSONValue, join: Join = .by(","), place: Place? = nil) {
        self.name = name
        self.value = value
        self.join = join
        self.place = place
    }

    /// The member names on the path to the parameter: `page` and `size` for `page.size`.
    fileprivate var steps: [Substring] { name.split(separator: ".", omittingEmptySubsequences: false) }

    /// Whether the parameter is nested in the given parameter, as `page.size` is nested in `page`.
    fileprivate func isInside(_ other: ListParameter) -> Bool {
        let (own, others) = (steps, other.steps)
        return own.count > others.count && own.starts(with: others)
    }

    /// Whether the value of this parameter can contain a nested parameter, as an object `page` can contain `page.size`.
    /// False if a value on the path to the nested parameter is not an object.
    fileprivate func accepts(_ inner: ListParameter) -> Bool {
        var found = value
        for step in inner.steps.dropFirst(steps.count).dropLast() {
            guard case .object(let object) = found else { return false }
            guard let next = object[String(step)] else { return true }
            found = next
        }
        if case .object = found { return true }
        return false
    }

    /// Returns the parameter as one or more query items.
    var queryItems: [QueryItem] {
        guard case .array(let elements) = value else { return [QueryItem(name, value.plainText)] }
        let texts = elements.map(\.plainText)
        switch join {
        case .repeated: return texts.map { QueryItem(name, $0) }
        case .by(let joiner): return [QueryItem(name, texts.joined(separator: joiner))]
        }
    }
}
