/// An error from a remote data source. None of its properties contains a secret.
@dynamicMemberLookup
public struct APIError: Error, Equatable, Sendable {
    /// The category of an error.
    public enum Kind: String, CaseIterable, Sendable {
        /// The request is invalid: its URL cannot be built, or the API rejected it (status 400 or 422).
        case invalidRequest
        /// The answer is not HTTP, has no body, or is a GraphQL answer that contains `errors` or lacks `data`.
        case invalidResponse
        /// The item or page does not exist. The status is 404 or 410, the GraphQL item is null, or the page is past the
        /// end of its list.
        case notFound
        /// The API answered with another error status, such as 500.
        case serverError
        /// The body does not have the shape that the catalog declares.
        case decodingFailed
        /// The API refused the credentials (status 401 or 403), or a required secret is missing.
        case unauthorized
        /// A rate limit was reached. Either the API answered with 429, or Larder's own limit allows no request before
        /// the deadline.
        case rateLimited
        /// The connection failed: name resolution, connecting, TLS, a reset, or a truncated body.
        case network
        /// No complete answer arrived within the API's `timeout`.
        case timeout
        /// The body exceeds the API's `maxBodySize` or the limit for all bodies in memory.
        case tooLarge
        /// There was no memory for the body before the deadline, because other answers used all of it.
        case busy
        /// `--replay` has no cassette (recorded answer) for the request, or cannot read the cassettes.
        case notReplayed
        /// The caller cancelled the request.
        case cancelled
    }

    /// The actual type of a JSON value whose type is wrong.
    public enum FoundValue: Sendable {
        /// The value is null or missing.
        case nothing
        case string, integer, number, boolean, object, array
    }

    /// The properties of an error.
    public struct Properties: Equatable, Sendable {
        /// The category of the error.
        public var kind: Kind
        /// The error message for users.
        public var message: String
        /// The HTTP status of the answer; nil if there was no answer.
        public var status: Int?
        /// The path of the invalid value in the body, such as `results[3].status`. Nil unless decoding failed.
        public var path: String?
        /// The type of the value at `path`, if this type is wrong; otherwise nil.
        public var found: FoundValue?
        /// The number of seconds to wait before the next request. Nil if neither the API nor Larder's own limit
        /// requires a wait.
        public var retryAfter: Int?
        /// The API's own error message, with at most 500 characters and without secrets. The text is also at the end of
        /// `message`.
        public var apiMessage: String?
        /// The name of the API in the catalog.
        public var api: String?
        /// The name of the resource in the catalog.
        public var resource: String?
        /// The URL of the request, with secrets redacted.
        public var url: String?
        /// The number of sent requests: 0 if none was sent, more than 1 after retries.
        public var attempts: Int?

        /// Whether the configuration is incomplete: the catalog refers to a missing secret or variable, or a token
        /// command failed. No request was sent to the API.
        public var isMissingConfiguration = false
    }

    /// The stored properties of the error. The properties are on the heap, so an error takes only one word of memory.
    private indirect enum Storage: Equatable, Sendable {
        case properties(Properties)
    }

    private var storage: Storage

    /// Creates an error. Callers can set the API, the resource and the URL later.
    public init(
        _ kind: Kind, _ message: String, status: Int? = nil, path: String? = nil, retryAfter: Int? = nil
    ) {
        storage = .properties(
            Properties(kind: kind, message: message, status: status, path: path, retryAfter: retryAfter))
    }

    /// Reads or changes one property of the error.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Properties, Value>) -> Value {
        get {
            switch storage {
            case .properties(let properties): properties[keyPath: path]
            }
        }
        set {
            switch storage {
            case .properties(var properties):
                properties[keyPath: path] = newValue
                storage = .properties(properties)
            }
        }
    }

    /// Whether a cached value may be returned instead of the error (stale-if-error).
    public var fallsBackToCache: Bool {
        switch self.kind {
        case .invalidResponse, .decodingFailed, .rateLimited, .network, .timeout, .tooLarge, .busy, .notReplayed:
            true
        // A 2xx status means that a rule of the catalog detected the error.
        case .serverError: (self.status ?? 0) >= 500 || (200...299).contains(self.status ?? 0)
        case .unauthorized: self.isMissingConfiguration
        case .invalidRequest, .notFound, .cancelled: false
        }
    }
}
