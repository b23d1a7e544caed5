import JSON
import Model

/// What a remote data source can be asked for.
public enum RemoteQuestion: Equatable, Sendable {
    case item(String)
    case items([String])
    case page(PageRequest)

    /// The operation of the catalog that answers it.
    var operation: String {
        switch self {
        case .item: "get"
        case .items: "getMany"
        case .page: "list"
        }
    }
}

/// A request as it would be made. No secret stands in it.
public struct RemotePreview: Equatable, Sendable {
    public let method: HTTPMethod
    /// The URL, its secrets replaced.
    public let url: String
    /// The body: `{"query", "variables"}` of a GraphQL operation, or that of a REST API's `POST`; nil where there is
    /// none.
    public let operation: JSONValue?
    /// How many milliseconds it would wait for the API's `rateLimit`.
    public let wait: Int

    public init(method: HTTPMethod, url: String, operation: JSONValue? = nil, wait: Int = 0) {
        self.method = method
        self.url = url
        self.operation = operation
        self.wait = wait
    }
}
