import JSON
import Model

/// The operations of a resource over REST or GraphQL. An operation is nil if the catalog does not declare it.
public struct Operations<Template: Equatable & Sendable>: Equatable, Sendable {
    /// The operation that fetches one item.
    public var get: Operation<Template, GetDefinition>?
    /// The operation that fetches several items with one request.
    public var getMany: Operation<Template, GetManyDefinition>?
    /// The operation that fetches a page of a list.
    public var list: Operation<Template, ListDefinition>?
    /// The operation `sync`, which requests only the changes of the list.
    public var sync: SyncOperation<Template>?

    /// The request templates of the operations that the catalog declares.
    public var templates: [Template] { [get?.template, getMany?.template, list?.template].compactMap { $0 } }

    /// Returns a copy whose operation `list` sends the requests that the catalog's `sync` declares. Returns an
    /// unchanged copy if there is no `sync`.
    ///
    /// - Parameter requests: whether to send the requests for the whole list or those for its changes.
    package func syncing(_ requests: SyncRequests) -> Operations {
        var operations = self
        guard let sync else { return operations }
        if requests == .wholeList, let list, let kind = sync.definition.wholeList {
            operations.list = Operation(template: list.template, kind: kind)
        } else {
            operations.list = Operation(template: sync.template, kind: sync.definition.list)
        }
        return operations
    }
}

/// The operation `sync`: the request template and the settings to request only the changes of a list.
// A class, so that resources stay small values.
public final class SyncOperation<Template: Equatable & Sendable>: Equatable, Sendable {
    /// The request template that `sync` declares. Keys that `sync` lacks are taken from `list`.
    public let template: Template
    /// The template of the request for the first token; nil if no such request is declared.
    public let initial: Template?
    public let definition: SyncDefinition

    init(template: Template, initial: Template?, definition: SyncDefinition) {
        (self.template, self.initial, self.definition) = (template, initial, definition)
    }

    public static func == (left: SyncOperation, right: SyncOperation) -> Bool {
        (left.template, left.initial) == (right.template, right.initial) && left.definition == right.definition
    }
}

/// One operation: the template of its request, and the description of its response.
public struct Operation<Template: Equatable & Sendable, Kind: Equatable & Sendable>: Equatable, Sendable {
    /// The part of the request that is the same for every call. Ids, filters and the page are added later.
    public var template: Template
    /// The description of the response, such as the selector of the item or of the list.
    public var kind: Kind
}

/// The request of a GraphQL operation. The operation's selectors start at the response's `data` object.
public struct GraphQLTemplate: Equatable, Sendable {
    public let query: String
    /// The name of the operation to execute; nil if the document has only one operation.
    public let operationName: String?
    /// The rules that recognize error responses. These rules apply before the rules of the API.
    public let errors: [ErrorRule]
    /// The names of the variables that the operation declares, without `$`.
    package let variables: Set<String>

    init(query: String, operationName: String?, errors: [ErrorRule]) {
        self.query = query
        self.operationName = operationName
        self.errors = errors
        variables = Self.variables(of: query, named: operationName)
    }

    /// Returns the names of the variables that the operation declares. If the document cannot be parsed, returns every
    /// name after a `$`, because the server may still accept the document.
    private static func variables(of query: String, named name: String?) -> Set<String> {
        if let operation = (try? GraphQLParser.parse(query))?.operation(named: name) {
            return Set(operation.variables.map(\.name))
        }
        let behind = query.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
        return Set(behind.map { String($0.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) })
    }
}

/// The description of a response with one item.
public struct GetDefinition: Equatable, Sendable {
    /// The selector that finds the item in the response.
    public var item: JSONSelector

    package init(item: JSONSelector) {
        self.item = item
    }

    /// Whether the selector contains the id of the requested item, as in `entities.{id}`.
    var isKeyedByID: Bool { item.filled(id: "") != item }

    /// Returns the key of the requested item in the response: the id as a JSON string. Nil if the selector does not
    /// contain `{id}`, because then the response does not use ids as keys.
    package func key(ofID id: String) -> JSONPart? {
        isKeyedByID ? (try? JSONDocument(Array(JSONValue.string(id).text.utf8)))?.root : nil
    }

    /// Returns the error for a response that does not contain the requested item.
    package func noItem(in answer: JSONView) -> APIError {
        let hint = item.meant(in: answer).map { "; did you mean '\($0)'?" } ?? ""
        return APIError(
            .notFound,
            "the API's answer has no item at '\(item.path)'; check the id, and \"item\" in the catalog\(hint)")
    }
}

/// The description of an operation that fetches several items with one request.
public struct GetManyDefinition: Equatable, Sendable {
    /// The selector that finds the items in the response.
    public var items: JSONSelector
    /// The maximum number of ids in one request.
    public var maxIDs: Int
}
