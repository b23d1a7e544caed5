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

    /// The request that asks an API for this.
    ///
    /// All header fields that the catalog names count as credentials: a redirect to another origin goes without them.
    public func request(to api: APIDefinition) -> HTTPRequest {
        var query = query
        var credentials = api.headers + headers
        // What is asked for first (a command, a token endpoint) is added when the request is sent: `RequestAuthorizer`.
        switch api.auth?.credential() {
        case nil: break
        case .field(let field): credentials.append(field)
        case .parameter(let item): query.append(item)
        }
        var headers = [HTTPHeader("Accept", accept)]
        if body != nil { headers.append(HTTPHeader("Content-Type", "application/json")) }
        headers += validators?.headers ?? []
        headers.removeAll { credentials[$0.name] != nil }
        var request = HTTPRequest(
            method: method, url: Self.joined(url ?? api.reachedAt + path, query), headers: headers,
            credentials: credentials, body: body, isRepeatable: isRepeatable, timeout: api.timeout,
            maxBodySize: api.maxBodySize, errors: errors + api.errors)
        request.connection = api.connection
        request.hasSecretBody = hasSecretBody
        return request
    }

    /// A URL with more query parameters.
    static func joined(_ url: String, _ query: [QueryItem]) -> String {
        query.isEmpty
            ? url
            : url + (url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
                + query.map { "\(PercentEncoding.encode($0.name))=\($0.encoded ?? PercentEncoding.encode($0.value))" }
                .joined(
                    separator: "&")
    }
}
