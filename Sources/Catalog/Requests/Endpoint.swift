import Model
import System

/// What is asked of an API, apart from where the API is and how it is authorised.
public struct Endpoint: Equatable, Sendable {
    public var method: HTTPMethod
    /// The absolute URL, of the API's own origin, in the place of base URL and path; nil where these are asked.
    public var url: String?
    /// The path below the base URL, percent-encoded, with a slash first.
    public var path: String
    /// The query parameters, not yet encoded, in their order.
    public var query: [QueryItem]
    /// Header fields besides the API's own.
    public var headers: [HTTPHeader]
    /// The body of a POST.
    public var body: [UInt8]?
    /// Whether a secret stands in the body.
    public var hasSecretBody = false
    /// Whether it may be asked again; a GET may, where nothing else is said.
    public var isRepeatable: Bool?
    /// What is known already: the API need not send that again.
    public var validators: Validators?
    /// What tells an answer that is an error, before the rules of the API.
    public var errors: [ErrorRule]
    /// What is wanted in return: a media type.
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

    /// A URL with more query parameters.
    package static func joined(_ url: String, _ query: [QueryItem]) -> String {
        query.isEmpty
            ? url
            : url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
                + query.map { "\(PercentEncoding.encode($0.name))=\($0.encoded ?? PercentEncoding.encode($0.value))" }
                .joined(
                    separator: "&")
    }
}
