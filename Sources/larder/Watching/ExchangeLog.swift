import RPCServer
import System

/// One exchange with an API during a live check. It contains no secrets.
public struct Exchange: Equatable, Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// The URL without secrets.
    public let url: String
    /// The status of the response; nil if there was none.
    public let status: Int?
    /// The duration of all attempts together.
    public let milliseconds: Int
    /// The number of requests, including retries.
    public let attempts: Int
    /// The header fields about rate limits.
    public let limits: [Limit]
    /// Descriptions of parts of the response that suggest further pages.
    public let signs: [String]

    /// A header field about rate limits.
    public struct Limit: Equatable, Sendable {
        public let name: String
        public let value: String
    }
}

/// The exchanges and warnings of a live check.
public final class ExchangeLog: Sendable {
    private let state = Lock<(exchanges: [Exchange], warnings: [String])>(([], []))

    public init() {}

    /// Adds a warning about a response that is unexpected but not an error.
    public func note(warning: String) { state.withLock { $0.warnings.append(warning) } }

    /// The hooks that record the requests and warnings of a process in this log.
    var watch: ClientWatch {
        ClientWatch(
            wrap: { WatchingHTTPClient(wrapping: $0, log: self, redactor: $1) }, warn: { self.note(warning: $0) })
    }

    func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }

    /// Returns the records since the last call, and removes them from the log.
    public func take() -> (exchanges: [Exchange], warnings: [String]) {
        state.withLock { state in
            defer { state = ([], []) }
            return state
        }
    }
}
