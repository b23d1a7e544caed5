import JSON
import Model

/// What a resource can be asked for over one transport; nil is an operation that the API does not have.
public struct Operations<Template: Equatable & Sendable>: Equatable, Sendable {
    /// Asks for one item.
    public var get: Operation<Template, GetDefinition>?
    /// Asks for several items at once.
    public var getMany: Operation<Template, GetManyDefinition>?
    /// Asks for a page of a list.
    public var list: Operation<Template, ListDefinition>?

    /// What the operations that there are send, whatever their kinds.
    public var templates: [Template] { [get?.template, getMany?.template, list?.template].compactMap { $0 } }
}

/// One operation: what the transport sends, and what its kind asks for and reads, whatever the transport.
public struct Operation<Template: Equatable & Sendable, Kind: Equatable & Sendable>: Equatable, Sendable {
    /// What is sent, but for ids, filters and pages.
    public var template: Template
    /// What is asked for, and how the answer is read.
    public var kind: Kind
}

/// What an operation over GraphQL sends. Selectors of its kind start below `data`.
public struct GraphQLTemplate: Equatable, Sendable {
    public let query: String
    /// Which of the document's operations is asked; nil where it has only one.
    public let operationName: String?
    /// What tells an answer that is an error, before the rules of the API.
    public let errors: [ErrorRule]
    /// The variables that the operation takes, without `$`.
    package let variables: Set<String>

    init(query: String, operationName: String?, errors: [ErrorRule]) {
        self.query = query
        self.operationName = operationName
        self.errors = errors
        variables = Self.variables(of: query, named: operationName)
    }

    /// What the operation declares. Of a document that the parser does not know it is every name behind a `$`: a server
    /// may know it all the same.
    private static func variables(of query: String, named name: String?) -> Set<String> {
        if let operation = (try? GraphQLParser.parse(query))?.operation(named: name) {
            return Set(operation.variables.map(\.name))
        }
        let behind = query.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
        return Set(behind.map { String($0.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) })
    }
}

/// How one item is read.
public struct GetDefinition: Equatable, Sendable {
    /// Where the item stands in the answer.
    public var item: JSONSelector

    package init(item: JSONSelector) {
        self.item = item
    }

    /// Whether its id is a step of the way there.
    var isPlacedByID: Bool { item.filled(id: "") != item }

    /// The key under which the item of an id stands, where the id is a step of the way there; nil elsewhere.
    package func key(ofID id: String) -> JSONPart? {
        isPlacedByID ? (try? JSONDocument(Array(JSONValue.string(id).text.utf8)))?.root : nil
    }

    /// The error for an answer without an item.
    package func noItem(in answer: JSONView) -> APIError {
        let hint = item.meant(in: answer).map { "; did you mean '\($0)'?" } ?? ""
        return APIError(.notFound, "the answer has no item at '\(item.path)'\(hint)")
    }
}

/// How several items are asked for and read.
public struct GetManyDefinition: Equatable, Sendable {
    /// Where the array of items stands in the answer.
    public var items: JSONSelector
    /// How many ids one request may have.
    public var maxIDs: Int
}
