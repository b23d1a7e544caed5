import Model

/// A request as it leaves: everything is built and encoded.
public struct HTTPRequest: Equatable, Sendable {
    public var method: HTTPMethod
    /// The absolute `http` or `https` URL, percent-encoded.
    public var url: String
    /// Header fields that any origin may see, such as `Accept`.
    public var headers: [HTTPHeader]
    /// Header fields for the URL's own origin only: a redirect to another origin goes without them.
    public var credentials: [HTTPHeader]
    /// The body of a POST.
    public var body: [UInt8]?
    /// How long the call may take, in milliseconds: all tries, and the waits before and between them.
    public var timeout: Int
    /// Whether it may be sent again where nobody knows if it has arrived: it only asks, and changes nothing.
    public var isRepeatable: Bool
    /// How large the decoded body may be, in bytes.
    public var maxBodySize: Int
    /// How the API is connected to.
    public var connection = ConnectionSettings()
    /// Whether a secret stands in the body: no other origin may see it.
    public var hasSecretBody = false
    /// Whether a redirect to another origin is an error.
    public var isBoundToOrigin = false
    /// What tells an answer that is an error; the first that fits.
    public var errors: [ErrorRule]

    /// A request; without a body, credentials and limits of its own. A GET is repeatable, where nothing else is said.
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

    /// When a call that begins now must have ended.
    package func deadline(from now: Int) -> Int { now + max(0, min(timeout, Int(Int32.max))) }
}
