import Model
import System

/// A request to an API, before the base URL and the credentials are added.
public struct Endpoint: Equatable, Sendable {
    public var method: HTTPMethod
    /// The absolute URL of the request, which must have the API's origin. Nil if the request uses the base URL and
    /// `path`.
    public var url: String?
    /// The percent-encoded path below the base URL, with a leading slash.
    public var path: String
    /// The query parameters in the order of the query, before percent-encoding.
    public var query: [QueryItem]
    /// Additional header fields of this request. The API's own header fields are not included.
    public var headers: [HTTPHeader]
    /// The body of a `POST`.
    public var body: [UInt8]?
    /// Whether the body contains a secret.
    public var hasSecretBody = false
    /// Whether the request can be retried. Nil for the default: only a `GET` can be retried.
    public var isRepeatable: Bool?
    /// The validators of a stored response, such as its `ETag`. If the data has not changed, the API can then reply
    /// "not modified".
    public var validators: Validators?
    /// The rules that recognize error responses. These rules apply before the rules of the API.
    public var errors: [ErrorRule]
    /// The value of the header field `Accept`: a media type.
    public var accept = "application/json"

    public init(
        method: HTTPMethod = .get, url: String? = nil, path: String, query: [QueryItem] = [],
        headers: [HTTPHeader] = [], body: [UInt8]? = nil, isRepeatable: Bool? = nil, validators: Validators? = nil,
        errors: [ErrorRule] = []
    ) {
        self.method = method
        self.url = url
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable
        self.validators = validators
        self.errors = errors
    }

    /// Returns a URL with additional query parameters.
    package static func joined(_ url: String, _ query: [QueryItem]) -> String {
        query.isEmpty
            ? url
            : url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
                + query.map { "\(PercentEncoding.encode($0.name))=\($0.encoded ?? PercentEncoding.encode($0.value))" }
                .joined(
                    separator: "&")
    }
}
