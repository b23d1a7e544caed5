import CatalogTools
import HTTP
import Model

/// An HTTP client that passes requests to another HTTP client, and records the requests and responses.
public struct WatchingHTTPClient: HTTPClientContract {
    private let client: any HTTPClientContract
    private let log: ExchangeLog
    private let redactor: Redactor

    /// Creates an HTTP client that passes requests to `client` and records them in `log`.
    public init(wrapping client: any HTTPClientContract, log: ExchangeLog, redactor: Redactor) {
        self.client = client
        self.log = log
        self.redactor = redactor
    }

    /// Passes a request to the wrapped HTTP client, and records the request with its response.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let start = ContinuousClock.now
        do throws(HTTPError) {
            let response = try await client.send(request)
            note(request, response, since: start, attempts: response.attempts)
            return response
        } catch {
            note(request, nil, since: start, attempts: error.attempts)
            throw error
        }
    }

    private func note(
        _ request: HTTPRequest, _ response: HTTPResponse?, since start: ContinuousClock.Instant, attempts: Int
    ) {
        let passed = start.duration(to: .now).components
        let limits = response?.headers.filter { Self.isOfLimits($0.name) } ?? []
        // The descriptions contain member names of the response, which may contain secrets.
        let signs = response.map { PageSigns.find(in: $0) } ?? []
        let pagination = signs.isEmpty ? nil : response.flatMap { ProvenPagination.member(of: $0, from: request.url) }
        log.note(
            Exchange(
                method: request.method.rawValue, url: redactor.redact(request.url), status: response?.status,
                milliseconds: Int(passed.seconds) * 1000 + Int(passed.attoseconds / 1_000_000_000_000_000),
                attempts: attempts,
                limits: limits.map {
                    Exchange.Limit(
                        name: redactor.redact($0.name), value: redactor.redact($0.value, limit: 200))
                },
                signs: signs.map { redactor.redact($0) },
                // A pagination with a secret is dropped, because the user may paste it into a catalog.
                pagination: pagination.flatMap { redactor.redact($0) == $0 ? $0 : nil }))
    }

    /// Whether a header field is about rate limits, such as `X-RateLimit-Remaining` and `Retry-After`.
    private static func isOfLimits(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("ratelimit") || name.contains("rate-limit") || name == "retry-after" || name == "backoff"
    }
}
