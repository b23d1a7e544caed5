import Model
import System

/// One API of a catalog: its base URL, its credentials and its limits.
public struct APIDefinition: Equatable, Sendable {
    public internal(set) var name: String
    /// The base URL that the catalog declares: an `http` or `https` URL without a trailing slash.
    public let baseURL: String
    /// The base URL of all requests: the declared base URL, unless `--base-url` overrides it.
    public var effectiveBaseURL: String
    /// Header fields that every request carries.
    public let headers: [HTTPHeader]
    /// The credentials for requests to the API.
    public let auth: Authentication?
    /// The maximum duration of a call in milliseconds. The duration includes all retries, the wait before the first
    /// attempt, and the waits between attempts.
    public let timeout: Milliseconds
    /// The maximum number of retries of a failed request.
    public let retries: Int
    /// The maximum number of simultaneous requests.
    public let maxConcurrent: Int
    /// The maximum size of a decompressed response body in bytes.
    public let maxBodySize: Int
    /// The maximum rate of requests; nil for no limit.
    public let rateLimit: RateLimit?
    /// The rules that determine when the API accepts requests again, as declared by `reset` and `pause`. Nil if the
    /// catalog declares neither key.
    public internal(set) var waits: RetryTimes?
    /// The rules that recognize error responses. The first matching rule applies.
    public let errors: [ErrorRule]

    /// The proxy and the TLS certificates for connections to the API.
    public internal(set) var connection = ConnectionSettings()
    /// The API's declaration as compact JSON, without the members that cannot affect responses. Secrets and variables
    /// appear as references such as `${env:TOKEN}`, without their values.
    public internal(set) var declaration: [UInt8] = []

    /// The location of `auth` in the catalog, for error messages about missing tokens.
    public internal(set) var authPlace: CatalogPlace?
    /// The location number of `auth` (see `CatalogFiles`), which the decoder converts to `authPlace`. Nil if the API's
    /// tokens come neither from a command nor from a token endpoint.
    var authNumber: Int?

    /// One error for each secret or variable without a value. If there is an error, requests to the API fail.
    public internal(set) var missingValues: [CatalogFault] = []
    /// The location of `baseURL` in the catalog if this URL refers to a secret or variable without a value; otherwise
    /// nil.
    var incompleteURLPlace: CatalogPlace?
    /// The location number of `baseURL` (see `CatalogFiles`). The decoder converts it to `incompleteURLPlace`.
    var incompleteURLNumber: Int?

    /// Replaces the base URL of all requests. Also removes the error about a missing secret or variable in the declared
    /// base URL.
    mutating func override(baseURL url: String) {
        effectiveBaseURL = url
        if let place = incompleteURLPlace { missingValues.removeAll { $0.place == place } }
    }
}
