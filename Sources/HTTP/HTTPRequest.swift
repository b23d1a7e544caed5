import Model
import System

/// An HTTP request that is ready to send: the URL and the body are already encoded.
public struct HTTPRequest: Equatable, Sendable {
    public var method: HTTPMethod
    /// The absolute `http` or `https` URL, in which special characters are percent-encoded.
    public var url: String
    /// Header fields that are also sent after a redirect to another origin, such as `Accept`.
    public var headers: [HTTPHeader]
    /// Header fields with credentials. They are sent only to the origin of `url`, and never after a redirect to another
    /// origin.
    public var credentials: [HTTPHeader]
    /// The body of a `POST`; nil for a `GET`.
    public var body: [UInt8]?
    /// The maximum duration of the request, including all retries and waits, in milliseconds.
    public var timeout: Milliseconds
    /// Whether the request may be sent again if its outcome is unknown. This is safe for requests that only read data.
    public var isRepeatable: Bool
    /// The maximum size of the answer's body after decoding, in bytes.
    public var maxBodySize: Int
    /// The connection settings of the API.
    public var connection = ConnectionSettings()
    /// Whether the body contains a secret. The client then does not send the body to another origin after a redirect.
    public var hasSecretBody = false
    /// Whether the request fails if the server redirects it to another origin.
    public var isBoundToOrigin = false
    /// The rules that recognize error responses. The first matching rule applies.
    public var errors: [ErrorRule]

    /// Creates a request. If `isRepeatable` is nil, a GET is repeatable and a POST is not.
    public init(
        method: HTTPMethod = .get, url: String, headers: [HTTPHeader] = [], credentials: [HTTPHeader] = [],
        body: [UInt8]? = nil, isRepeatable: Bool? = nil, timeout: Milliseconds = 10_000, maxBodySize: Int = 16 << 20,
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

    /// Returns the deadline of the request if it starts at `now`. Both times are in milliseconds.
    package func deadline(from now: Int) -> Int { now + max(0, min(timeout, Int(Int32.max))) }
}
