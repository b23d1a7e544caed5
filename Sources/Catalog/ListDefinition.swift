import JSON
import Model

/// How a list is asked for and read, whatever the transport.
public struct ListDefinition: Equatable, Sendable {
    /// Where the items stand in the answer.
    public var items: JSONSelector = .whole
    /// The filters, in the order of the catalog.
    public var filters: [FilterDefinition] = []
    /// How its pages are told apart.
    public var pagination = Pagination(SinglePage())
    /// Whether a filtered list that is not found is an empty page.
    public var emptyOnNotFound = false
    /// Whether a list without its array is an empty one, and no fault.
    public var isEmptyWhereAbsent = false
    /// Whether the elements are ids, and not items.
    public var isOfIDs = false
    /// Whether the whole items are asked for by their ids.
    public var isHydrated = false
    /// Whether the items have all fields, so that they can answer a `get`.
    public var isComplete = true
    /// What takes its parameters.
    public var sending = Sending.query

    /// What takes the parameters of a list.
    public enum Sending: Equatable, Sendable {
        /// The query of a `GET`.
        case query
        /// The body of a `POST`, or its query where a parameter says so.
        case body
        /// The variables of an operation over GraphQL.
        case variables
    }

    /// What may name one of its pages.
    public var pageForm: PageForm { pagination.style.form }

    /// The page that it begins with.
    public var firstPage: PageToken { pagination.style.first }

    /// The query parameters, or the variables, that ask for a page: the pagination's, then the filters' in the order of
    /// the catalog. A filter that the list does not have is left out. Of those that lead into a body or variables, one
    /// that goes into the value of another comes behind that.
    ///
    /// - Throws: `APIError.invalidRequest` for a page that this list cannot have, and for a value that is no object and
    ///   would have to take another parameter.
    package func parameters(of request: PageRequest) throws(APIError) -> [ListParameter] {
        guard pageForm.takes(request.page) || request.page == firstPage else {
            throw APIError(.invalidRequest, "this list's page must be \(pageForm.expected)")
        }
        // What an answer said of another page may repeat the filters.
        let own = try pagination.parameters(of: request.page)
        let filters = parameters(of: request.filters).filter { filter in
            !own.contains { $0.name == filter.name && place(of: $0) == place(of: filter) }
        }
        return try ordered(own + filters)
    }

    /// Where a parameter goes; variables are a body, too.
    private func place(of parameter: ListParameter) -> ListParameter.Place {
        switch sending {
        case .query: .query
        case .body: parameter.place ?? .body
        case .variables: .body
        }
    }

    /// Who lays them into an object one after the other loses none: not that which asks for a page, where a filter
    /// has the object in which that stands.
    private func ordered(_ parameters: [ListParameter]) throws(APIError) -> [ListParameter] {
        let nesting = parameters.filter { place(of: $0) == .body }
        guard nesting.contains(where: { $0.name.utf8.contains(UInt8(ascii: ".")) }) else { return parameters }
        var outer: [ListParameter] = []
        var inner: [ListParameter] = []
        for parameter in parameters {
            let isNesting = place(of: parameter) == .body
            let holders = isNesting ? nesting.filter { parameter.isInside($0) } : []
            if let holder = holders.first(where: { !$0.takes(parameter) }) {
                throw APIError(
                    .invalidRequest,
                    "'\(parameter.name)' is sent inside '\(holder.name)', which must be an object that can take it")
            }
            if holders.isEmpty { outer.append(parameter) } else { inner.append(parameter) }
        }
        // One of these may go into another.
        let depths = Set(inner.map(\.steps.count)).sorted()
        return outer + depths.flatMap { depth in inner.filter { $0.steps.count == depth } }
    }

    /// The parameters of filters; those of one composed text are put together.
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

/// A query parameter or a variable of a list, with its value.
public struct ListParameter: Equatable, Sendable {
    /// The parameter's or the variable's name.
    public let name: String
    /// The value: a query takes its text, a body or a variable the value itself.
    public let value: JSONValue
    /// How several values are sent in a query.
    public let join: Join
    /// Where it is sent; nil is where the transport sends parameters.
    public let place: Place?

    /// How several values are sent in a query.
    public enum Join: Equatable, Sendable {
        /// As one text, with this between them.
        case by(String)
        /// As a parameter each.
        case repeated
    }

    /// The places of a `POST`.
    public enum Place: String, CaseIterable, Sendable {
        case query, body
    }

    public init(_ name: String, _ value: JSONValue, join: Join = .by(","), place: Place? = nil) {
        self.name = name
        self.value = value
        self.join = join
        self.place = place
    }

    /// The names that lead to it in a body or in variables.
    fileprivate var steps: [Substring] { name.split(separator: ".", omittingEmptySubsequences: false) }

    /// Whether it goes into the value of another one.
    fileprivate func isInside(_ other: ListParameter) -> Bool {
        let (own, others) = (steps, other.steps)
        return own.count > others.count && own.starts(with: others)
    }

    /// Whether one that goes into its value finds objects there, or room to make them.
    fileprivate func takes(_ inner: ListParameter) -> Bool {
        var found = value
        for step in inner.steps.dropFirst(steps.count).dropLast() {
            guard case .object(let object) = found else { return false }
            guard let next = object[String(step)] else { return true }
            found = next
        }
        if case .object = found { return true }
        return false
    }

    /// The parameter as a query has it.
    var queryItems: [QueryItem] {
        guard case .array(let elements) = value else { return [QueryItem(name, value.plainText)] }
        let texts = elements.map(\.plainText)
        switch join {
        case .repeated: return texts.map { QueryItem(name, $0) }
        case .by(let joiner): return [QueryItem(name, texts.joined(separator: joiner))]
        }
    }
}
