import JSON

/// The operations of a resource over REST; nil is one that the API does not have.
public struct RESTOperations: Equatable, Sendable {
    /// Asks for one item.
    public var get: RESTOperation?
    /// Asks for several items at once.
    public var getMany: RESTOperation?
    /// Asks for a page of a list.
    public var list: RESTOperation?

    /// The operations that there are.
    public var all: [RESTOperation] { [get, getMany, list].compactMap { $0 } }
}

/// One operation over REST.
public struct RESTOperation: Equatable, Sendable {
    /// The path below the base URL.
    public var path: PathTemplate
    /// Constant query parameters.
    public var query: [QueryItem]
    /// Header fields besides the API's.
    public var headers: [HTTPHeader]
    /// Where a `get` finds its item.
    public var item: JSONSelector
    /// How a `getMany` or a list is read; for a `get` it says nothing.
    public var list: ListDefinition
    /// How many ids a `getMany` may ask for.
    public var maxIDs: Int
}

/// The operations of a resource over GraphQL; nil is one that the API does not have.
public struct GraphQLOperations: Equatable, Sendable {
    /// The path of the GraphQL endpoint below the base URL.
    public var path: String
    /// Asks for one item.
    public var get: GraphQLOperationDefinition?
    /// Asks for several items at once.
    public var getMany: GraphQLOperationDefinition?
    /// Asks for a page of a list.
    public var list: GraphQLOperationDefinition?
}

/// One operation over GraphQL. Selectors start below `data`.
public struct GraphQLOperationDefinition: Equatable, Sendable {
    /// The document.
    public var query: String
    /// Where a `get` finds its item.
    public var item: JSONSelector
    /// How a `getMany` or a list is read; for a `get` it says nothing.
    public var list: ListDefinition
    /// How many ids a `getMany` may ask for.
    public var maxIDs: Int
}

/// How a list is asked for and read, whatever the transport.
public struct ListDefinition: Equatable, Sendable {
    /// Where the items stand in the answer.
    public var items: JSONSelector = .whole
    /// The filters: name in params, and the query parameter or variable it becomes.
    public var filters: [Filter] = []
    /// How pages are told apart; nil is a list in one piece.
    public var pagination: PagePagination?
    /// Whether a filtered list that is not found is an empty page.
    public var emptyOnNotFound = false
    /// Whether the items have all fields, so that they can answer a `get`.
    public var isComplete = true

    /// One filter.
    public struct Filter: Equatable, Sendable {
        /// The name in params.
        public let name: String
        /// The query parameter, or the variable.
        public let parameter: String
    }
}

/// Pages with a number from 1.
public struct PagePagination: Equatable, Sendable {
    /// The query parameter, or the variable, that takes the number.
    public var parameter: String
    /// Where the answer says how many pages there are.
    public var pages: JSONSelector?
    /// Where the answer says how many items there are.
    public var count: JSONSelector?
}

/// One query parameter, not yet encoded.
public struct QueryItem: Equatable, Sendable {
    /// The parameter's name.
    public let name: String
    /// The parameter's value.
    public let value: String

    /// A parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
