import JSON

/// How a list is asked for and read, whatever the transport.
public struct ListDefinition: Equatable, Sendable {
    /// Where the items stand in the answer.
    public var items: JSONSelector = .whole
    /// The filters: name in params, and the query parameter or variable it becomes.
    public var filters: [Filter] = []
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

    /// One filter.
    public struct Filter: Equatable, Sendable {
        /// The name in params.
        public let name: String
        /// The query parameter, or the variable.
        public let parameter: String
    }

    /// What may name one of its pages.
    public var pageForm: PageForm { pagination.style.form }

    /// The page that it begins with.
    public var firstPage: PageToken { pagination.style.first }

    /// The query parameters, or the variables, that ask for a page: the pagination's, then the filters'. A filter that
    /// the list does not have is left out.
    ///
    /// - Throws: `APIError.invalidRequest` for a page that this list cannot have.
    func parameters(of request: PageRequest) throws(APIError) -> [ListParameter] {
        guard pageForm.takes(request.page) || request.page == firstPage else {
            throw APIError(.invalidRequest, "this list's page must be \(pageForm.expected)")
        }
        let filters = request.filters.compactMap { filter in
            self.filters.first { $0.name == filter.name }.map { ListParameter($0.parameter, filter.value) }
        }
        return try pagination.style.parameters(of: request.page) + filters
    }
}

/// A query parameter or a variable of a list, with its value.
public struct ListParameter: Equatable, Sendable {
    /// The parameter's or the variable's name.
    public let name: String
    /// The value: a query takes its text, a variable the value itself.
    public let value: JSONValue

    /// A parameter.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    /// The parameter as a query has it.
    var queryItem: QueryItem {
        if case .string(let text) = value { QueryItem(name, text) } else { QueryItem(name, value.text) }
    }
}
