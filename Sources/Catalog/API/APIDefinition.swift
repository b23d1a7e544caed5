import Model

/// One API of a catalog: its base URL, its credentials and its limits.
public struct APIDefinition: Equatable, Sendable {
    public let name: String
    /// The base URL that the catalog declares: an `http` or `https` URL without a slash at the end.
    public let baseURL: String
    /// The base URL that requests use: the declared one, unless `--base-url` overrides it.
    public var effectiveBaseURL: String
    /// Header fields that every request carries.
    public let headers: [HTTPHeader]
    /// How requests are authorised.
    public let auth: Authentication?
    /// The maximum duration of a call in milliseconds, including all retries and the waits before and between them.
    public let timeout: Int
    /// The maximum number of retries of a failed request.
    public let retries: Int
    /// The maximum number of simultaneous requests.
    public let maxConcurrent: Int
    /// The maximum size of a decoded body in bytes.
    public let maxBodySize: Int
    /// The maximum rate of requests; nil for no limit.
    public let rateLimit: RateLimit?
    /// Where responses report when the API accepts requests again; nil if the catalog declares nothing for it.
    public internal(set) var waits: RetryTimes?
    /// The rules that recognise error responses. The first matching rule applies.
    public let errors: [ErrorRule]

    /// The proxy and the certificates of connections to the API.
    public internal(set) var connection = ConnectionSettings()
    /// The parts of the API's declaration that affect its responses, as compact JSON. Secrets and variables appear as
    /// references, without their values.
    public internal(set) var declaration: [UInt8] = []

    /// The location of `auth` in the catalog, for error messages about missing tokens.
    public internal(set) var authPlace: CatalogPlace?
    /// The number of that location (`CatalogFiles`) while the catalog is decoded; nil if no token has to be fetched.
    var authNumber: Int?

    /// The missing secrets and variables, with their locations. Requests to the API fail while any are missing.
    public internal(set) var missingValues: [CatalogFault] = []
}
