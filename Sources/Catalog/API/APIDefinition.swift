import Model

/// One API of a catalog: where it is, how it is authorised, and how gently it is asked.
public struct APIDefinition: Equatable, Sendable {
    /// The API's name.
    public let name: String
    /// `http` or `https` URL without a slash at its end, as the catalog declares it.
    public let baseURL: String
    /// Where the API is really reached; the declared URL, unless a caller said otherwise.
    public var reachedAt: String
    /// Header fields that every request carries.
    public let headers: [HTTPHeader]
    /// How requests are authorised.
    public let auth: Authentication?
    /// How long a call may take, in milliseconds: all its tries, and the waits before and between them.
    public let timeout: Int
    /// How often a request that failed is made again.
    public let retries: Int
    /// How many requests may be under way at once.
    public let maxConcurrent: Int
    /// How large a decoded body may be, in bytes.
    public let maxBodySize: Int
    /// How many requests may be made in a while; nil for any number.
    public let rateLimit: RateLimit?
    /// What answers say of when the API takes requests again; nil where nothing is read for it.
    public internal(set) var waits: RateWaits?
    /// What tells an answer that is an error; the first that fits.
    public let errors: [ErrorRule]

    /// How it is connected to.
    public internal(set) var connection = ConnectionSettings()
    /// The parts of its declaration that shape answers, as compact JSON: secrets and variables by their names.
    public internal(set) var declaration: [UInt8] = []

    /// Where its catalog says how requests are authorised, for who is told that there is no token.
    public internal(set) var authPlace: CatalogPlace?
    /// The number of that place while the catalog is read; nil where nothing is asked for a token.
    var authNumber: Int?

    /// The secrets and variables that are missing, and where they are declared: the API cannot be asked without them.
    public internal(set) var absences: [CatalogFault] = []
}
