import Model

/// A complete HTTP request: its URL and body are encoded.
public struct HTTPRequest: Equatable, Sendable {
    public var method: HTTPMethod
    /// The absolute `http` or `https` URL, percent-encoded.
    public var url: String
    /// Header fields that any origin may receive, such as `Accept`.
    public var headers: [HTTPHeader]
    /// Header fields that only the URL's own origin may receive. They are dropped on a redirect to another origin.
    public var credentials: [HTTPHeader]
    /// The body; only a POST has one.
    public var body: [UInt8]?
    /// The maximum duration in milliseconds, including all retries and waits.
    public var timeout: Int
    /// Whether the request may be repeated if its outcome is unknown, because it only reads.
    public var isRepeatable: Bool
    /// The maximum size of the decoded body, in bytes.
    public var maxBodySize: Int
    /// The connection settings of the API.
    public var connection = ConnectionSettings()
    /// Whether the body contains a secret, so that other origins must not receive it.
    public var hasSecretBody = false
    /// Whether a redirect to another origin is an error.
    public var isBoundToOrigin = false
    /// The rules that detect errors in answers; the first match applies.
    public var errors: [ErrorRule]

    /// Creates a request. If `isRepeatable` is nil, a GET is repeatable and a POST is not.
    public init(
        method: HTTPMethod = .get, url: String, headers: [HTTPHeader] = [], credentials: [HTTPHeader] = [],
        body: [UInt8]? = nil, isRepeatable: Bool? = nil, timeout: Int = 10_000, maxBodySize: Int = 16 << 20,
        errors: [ErrorRule] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.credentials = credentials
        self.body = body
        self.isRepeatable = isRepeatable ?? (method == .get)
        self.timeout = timeout
        self.maxBodySize = maxBodySize
        self.errors = errors
    }

    /// Returns the deadline of a call that starts at `now`, in milliseconds.
    package func deadline(from now: Int) -> Int { now + max(0, min(timeout, Int(Int32.max))) }
}
