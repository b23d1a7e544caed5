import JSON
import Model
import System

/// A read of one item, several items or one page from an API.
public enum RemoteQuestion: Equatable, Sendable {
    case item(String)
    case items([String])
    case page(PageRequest)

    /// The name of the catalog operation for this read: `get`, `getMany` or `list`.
    var operation: String {
        switch self {
        case .item: "get"
        case .items: "getMany"
        case .page: "list"
        }
    }
}

/// A preview of a request that is not sent. It contains no secrets.
public struct RemotePreview: Equatable, Sendable {
    public let method: HTTPMethod
    /// The URL of the request, with secrets redacted.
    public let url: String
    /// The body of the request: `{"query", "variables"}` for GraphQL, or the JSON of a REST `POST`. Nil if the request
    /// has no body.
    public let operation: JSONValue?
    /// The time that the request would have to wait because of the API's `rateLimit`, in milliseconds.
    public let wait: Milliseconds

    public init(method: HTTPMethod, url: String, operation: JSONValue? = nil, wait: Milliseconds = 0) {
        self.method = method
        self.url = url
        self.operation = operation
        self.wait = wait
    }
}
