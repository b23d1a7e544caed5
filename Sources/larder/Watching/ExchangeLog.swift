import RPCServer
import System

/// A request to an API during a live check, with the response. The record contains no secrets.
public struct Exchange: Equatable, Sendable {
    /// The HTTP method: `GET` or `POST`.
    public let method: String
    /// The URL of the request, without secrets.
    public let url: String
    /// The HTTP status of the response; nil if there was no response.
    public let status: Int?
    /// The total duration of all attempts, in milliseconds.
    public let milliseconds: Milliseconds
    /// The number of attempts, including the retries.
    public let attempts: Int
    /// The response's header fields about rate limits.
    public let limits: [Limit]
    /// Messages for the user about parts of the response that suggest further pages of the list.
    public let signs: [String]
    /// The `pagination` that the catalog should declare for the list, as JSON. It is derived from the URL of the next
    /// page in the response. Nil if the response contains no such URL.
    public var pagination: String?

    /// A response header field about rate limits, such as `X-RateLimit-Remaining`.
    public struct Limit: Equatable, Sendable {
        public let name: String
        public let value: String
    }
}

/// The API requests, responses and warnings of a live check.
public final class ExchangeLog: Sendable {
    private let state = Lock<(exchanges: [Exchange], warnings: [String])>(([], []))

    public init() {}

    /// Adds a warning about an unexpected response that is not an error.
    public func note(warning: String) { state.withLock { $0.warnings.append(warning) } }

    /// The callbacks that record a process's API requests and warnings in this log.
    var watch: ClientWatch {
        ClientWatch(
            wrap: { WatchingHTTPClient(wrapping: $0, log: self, redactor: $1) }, warn: { self.note(warning: $0) })
    }

    func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }

    /// Returns the requests and warnings since the previous call, and removes them from the log.
    public func take() -> (exchanges: [Exchange], warnings: [String]) {
        state.withLock { state in
            defer { state = ([], []) }
            return state
        }
    }
}
