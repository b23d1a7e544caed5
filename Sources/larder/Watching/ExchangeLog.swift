import RPCServer
import System

/// One exchange with an API, as who tries out a catalog wants to see it. No secret stands in it.
public struct Exchange: Equatable, Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// The URL, its secrets replaced.
    public let url: String
    /// The status of the answer; nil where none came.
    public let status: Int?
    /// How long it took, all tries together.
    public let milliseconds: Int
    /// How many requests were made.
    public let attempts: Int
    /// The header fields that speak of limits.
    public let limits: [Limit]
    /// What in the answer speaks of further pages.
    public let signs: [String]

    /// A header field that speaks of limits.
    public struct Limit: Equatable, Sendable {
        public let name: String
        public let value: String
    }
}

/// What is noted while a catalog is tried out.
public final class ExchangeLog: Sendable {
    private let state = Lock<(exchanges: [Exchange], warnings: [String])>(([], []))

    public init() {}

    /// Notes what is odd in an answer and no error.
    public func note(warning: String) { state.withLock { $0.warnings.append(warning) } }

    /// Records the requests of a process in this log.
    var watch: ClientWatch {
        ClientWatch(
            wrap: { WatchingHTTPClient(wrapping: $0, log: self, redactor: $1) }, warn: { self.note(warning: $0) })
    }

    func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }

    /// What was noted since this was called last.
    public func take() -> (exchanges: [Exchange], warnings: [String]) {
        state.withLock { state in
            defer { state = ([], []) }
            return state
        }
    }
}
