import HTTP
import JSON
import Model

/// Maps an error of the HTTP transport to an `APIError`.
public struct HTTPErrorMapper: MapperContract {
    private let redactor: Redactor

    /// A mapper that shows no secrets.
    public init(redactor: Redactor) { self.redactor = redactor }

    /// The error for those above the data sources, with the number of requests that were made.
    public func map(_ error: HTTPError) -> APIError {
        var mapped = describe(error.reason)
        mapped.attempts = error.attempts
        return mapped
    }

    private func describe(_ reason: HTTPError.Reason) -> APIError {
        switch reason {
        case .invalidURL(let reason): APIError(.invalidRequest, "the request cannot be built: \(reason)")
        case .notHTTP(let reason): APIError(.invalidResponse, "the answer cannot be read: \(reason)")
        case .emptyBody: APIError(.invalidResponse, "the answer has no body")
        case .status(let response): mapStatus(of: response)
        case .badRedirect(let location, let reason): mapRedirect(to: location, reason)
        case .untrusted(let reason):
            APIError(
                .network,
                "the server's certificate is refused: \(reason); if its authority is a private one, set SSL_CERT_FILE or"
                    + " CURL_CA_BUNDLE to the file with that authority's certificate (PEM)")
        case .network(let reason): APIError(.network, "the API was not reached: \(reason)")
        case .timeout(let milliseconds): APIError(.timeout, "no answer within \(Self.seconds(milliseconds)) s")
        case .tooLarge(let limit): APIError(.tooLarge, "the answer is larger than \(limit) bytes")
        case .tooLargeForAll(let limit):
            APIError(
                .tooLarge,
                "the answer is larger than the \(limit) bytes that all answers under way may have (--memory-in-flight)")
        case .noRoom(let limit):
            APIError(
                .busy,
                "there was no room for the answer in time: others under way have the \(limit) bytes that all may have"
                    + " together (--memory-in-flight)")
        case .tooManyRedirects(let limit): APIError(.invalidResponse, "more than \(limit) redirects")
        case .limited(let limit, let wait): mapLimit(limit, wait)
        case .paused(let wait):
            APIError(
                .rateLimited,
                "the API takes the next request in \(Self.wholeSeconds(wait)) s, as it has said itself (rateLimit),"
                    + " which is past the timeout", retryAfter: Self.wholeSeconds(wait))
        case .crowded(let limit, let timeout):
            APIError(
                .timeout,
                "no request was made within \(Self.seconds(timeout)) s: \(limit) to this API were under way all the time"
                    + " (maxConcurrent)")
        case .noToken(let error): error
        case .notRecorded(let reason): APIError(.network, "the cassette is not saved: \(reason)")
        case .cancelled: APIError(.cancelled, "the request was cancelled")
        }
    }

    private func mapRedirect(to location: String, _ reason: String) -> APIError {
        let place = Userinfo.hide(in: redactor.redact(location))
        return APIError(
            .invalidResponse,
            "the API redirects to '\(redactor.redact(place, limit: 500))', which cannot be followed: \(reason)")
    }

    private func mapLimit(_ limit: RateLimit, _ wait: Int) -> APIError {
        let seconds = Self.wholeSeconds(wait)
        return APIError(
            .rateLimited,
            "Larder's own limit of \(limit.requests) requests in \(Self.seconds(limit.per)) s for this API (rateLimit)"
                + " allows the next one in \(seconds) s, which is past the timeout", retryAfter: seconds)
    }

    /// The error of an answer, with the API's own words behind Larder's.
    private func mapStatus(of response: HTTPResponse) -> APIError {
        let error = response.verdict.flatMap { mapVerdict($0, of: response) } ?? describe(response)
        return APIWords.find(in: response).map { said($0, error) } ?? error
    }

    private func said(_ words: String, _ error: APIError) -> APIError {
        var error = error
        let shown = APIWords.shown(words, redactor)
        error.apiMessage = shown
        error.message += ": \(shown)"
        return error
    }

    /// The error that an answer with the status of a success has where the item or the items should be; nil where it
    /// has none. It says nothing of what is kept.
    func error(in body: JSONView) -> APIError? {
        APIWords.ofError(in: body).map {
            said($0, APIError(.invalidResponse, "the answer has an error in place of what was asked for"))
        }
    }

    /// The error for an answer in which something is not where it should be, with the API's words behind it, where the
    /// answer has some.
    func explained(_ error: APIError, by body: JSONView) -> APIError {
        APIWords.inPlace(of: body).map { said($0, error) } ?? error
    }

    /// Nil where the status decides.
    private func mapVerdict(_ verdict: ErrorVerdict, of response: HTTPResponse) -> APIError? {
        let status = response.status
        let kind = verdict.kind ?? ((200...299).contains(status) ? .invalidResponse : nil)
        guard let kind else { return nil }
        let what =
            switch kind {
            case .notFound where verdict.isPastTheEnd: "the page lies behind the list's last"
            case .notFound: "the API has no such thing"
            case .invalidRequest: "the API refuses the request"
            case .unauthorized: "the API wants other credentials"
            case .rateLimited: "the API has had too many requests"
            default: "the API reports an error"
            }
        return APIError(
            kind, "\(what) (status \(status))" + Self.later(response.retryAfter), status: status,
            retryAfter: response.retryAfter?.seconds)
    }

    private func describe(_ response: HTTPResponse) -> APIError {
        let status = response.status
        let (later, seconds) = (Self.later(response.retryAfter), response.retryAfter?.seconds)
        return switch status {
        case 404, 410: APIError(.notFound, "the API has no such thing (status \(status))", status: status)
        case 400, 422: APIError(.invalidRequest, "the API refuses the request (status \(status))", status: status)
        case 401, 403: APIError(.unauthorized, "the API wants other credentials (status \(status))", status: status)
        case 429:
            APIError(
                .rateLimited, "the API has had too many requests (status 429)" + later, status: status,
                retryAfter: seconds)
        // One that leads somewhere is followed.
        case 301, 302, 303, 307, 308:
            APIError(.invalidResponse, "the API redirects (status \(status)), but not to any place", status: status)
        default:
            APIError(
                .serverError, "the API answered with status \(status)" + later, status: status, retryAfter: seconds)
        }
    }

    private static func later(_ retryAfter: HTTPRetryAfter?) -> String {
        guard let retryAfter else { return "" }
        return " and takes the next request in \(retryAfter.seconds) s"
            + (retryAfter.isTooLate ? ", which is past the timeout" : "")
    }

    /// Rounded up.
    private static func wholeSeconds(_ milliseconds: Int) -> Int {
        milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
    }

    private static func seconds(_ milliseconds: Int) -> String {
        milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
