import HTTP
import JSON
import Model
import System

/// Maps an error of the HTTP transport to an `APIError`.
public struct HTTPErrorMapper: MapperContract {
    private let redactor: Redactor

    /// Creates a mapper. Its error messages do not contain the secrets that the redactor knows.
    public init(redactor: Redactor) { self.redactor = redactor }

    /// Returns the `APIError` for a failed request, with the number of attempts.
    public func map(_ error: HTTPError) -> APIError {
        var mapped = describe(error.reason)
        mapped.attempts = error.attempts
        return mapped
    }

    @_optimize(size)
    private func describe(_ reason: HTTPError.Reason) -> APIError {
        switch reason {
        case .invalidURL(let reason): APIError(.invalidRequest, "cannot build the request: \(reason)")
        case .notHTTP(let reason):
            APIError(
                .invalidResponse,
                "cannot read the server's answer: \(reason); try again later, or report this to the API's provider")
        case .emptyBody: APIError(.invalidResponse, "the server's answer has no body; check the path in the catalog")
        case .status(let response): mapStatus(of: response)
        case .badRedirect(let location, let reason): mapRedirect(to: location, reason)
        case .untrusted(let reason):
            APIError(
                .network,
                "the server's certificate is refused: \(reason); for a private certificate authority, set SSL_CERT_FILE"
                    + " or CURL_CA_BUNDLE to a file with the authority's certificate (PEM)")
        case .network(let reason): APIError(.network, "the API was not reached: \(reason)")
        case .notReplayed(let reason): APIError(.notReplayed, reason)
        case .timeout(let milliseconds): APIError(.timeout, "no answer within \(Self.seconds(milliseconds)) s")
        case .tooLarge(let limit):
            APIError(.tooLarge, "the server's answer is larger than \(limit) bytes; raise 'maxBodySize' in the catalog")
        case .exceedsBodyBudget(let limit):
            APIError(
                .tooLarge,
                "the server's answer is larger than the limit of \(limit) bytes for all answers in flight; "
                    + "raise --memory-in-flight")
        case .noRoom(let limit):
            APIError(
                .busy,
                "the answer got no memory before the timeout: other answers use the whole limit of \(limit) bytes; "
                    + "raise --memory-in-flight")
        case .tooManyRedirects(let limit):
            APIError(.invalidResponse, "the server redirected more than \(limit) times; check the path in the catalog")
        case .limited(let limit, let wait): mapLimit(limit, wait)
        case .paused(let wait):
            APIError(
                .rateLimited,
                "no request was sent: the API asked to wait for \(Self.wholeSeconds(wait)) s (rateLimit), and the"
                    + " wait exceeds the timeout; try again in \(Self.wholeSeconds(wait)) s",
                retryAfter: Self.wholeSeconds(wait))
        case .crowded(let limit, let timeout):
            APIError(
                .timeout,
                "no request was sent within \(Self.seconds(timeout)) s: \(limit) requests to this API were"
                    + " already in flight (maxConcurrent); try again later")
        case .noToken(let error): error
        case .notRecorded(let reason): APIError(.network, "cannot save the cassette: \(reason)")
        case .cancelled: APIError(.cancelled, "the request was cancelled")
        }
    }

    private func mapRedirect(to location: String, _ reason: String) -> APIError {
        let place = Userinfo.hide(in: redactor.redact(location))
        return APIError(
            .invalidResponse,
            "cannot follow the redirect to '\(redactor.redact(place, limit: 500))': \(reason)")
    }

    private func mapLimit(_ limit: RateLimit, _ wait: Int) -> APIError {
        let seconds = Self.wholeSeconds(wait)
        return APIError(
            .rateLimited,
            "no request was sent: Larder's own limit of \(limit.requests) requests in \(Self.seconds(limit.per)) s"
                + " (rateLimit) is used up, and the wait of \(seconds) s exceeds the timeout; try again in "
                + "\(seconds) s",
            retryAfter: seconds)
    }

    /// Returns the error for an answer with an error status or a matching error rule. Appends the API's own message.
    private func mapStatus(of response: HTTPResponse) -> APIError {
        let error = response.verdict.flatMap { mapVerdict($0, of: response) } ?? describe(response)
        return ErrorMessageFinder.find(in: response).map { adding($0, to: error) } ?? error
    }

    /// Returns a copy of an error with the API's own message appended.
    private func adding(_ message: String, to error: APIError) -> APIError {
        var error = error
        let shown = ErrorMessageFinder.shown(message, redactor)
        error.apiMessage = shown
        error.message += ": \(shown)"
        return error
    }

    /// Returns the error that a 2xx answer reports instead of the requested data; nil if the answer reports no error.
    /// Larder may return a cached entry instead of this error.
    func error(in body: JSONView) -> APIError? {
        ErrorMessageFinder.ofError(in: body).map {
            adding(
                $0,
                to: APIError(
                    .invalidResponse,
                    "the API returned an error instead of the requested data; check the request against the API's"
                        + " message"))
        }
    }

    /// Returns an error about missing data, with the API's own message appended if the answer contains one.
    func explained(_ error: APIError, by body: JSONView) -> APIError {
        ErrorMessageFinder.ofErrorOrMessage(of: body).map { adding($0, to: error) } ?? error
    }

    /// Returns the error for an answer that matches an error rule. If the rule names no kind of error, the kind for a
    /// 2xx status is `invalidResponse`. For any other status, returns nil, because the status determines the kind.
    private func mapVerdict(_ verdict: ErrorVerdict, of response: HTTPResponse) -> APIError? {
        let status = response.status
        let kind = verdict.kind ?? ((200...299).contains(status) ? .invalidResponse : nil)
        guard let kind else { return nil }
        let what =
            switch kind {
            case .notFound where verdict.isPastTheEnd: "the page is past the end of the list"
            case .notFound: "the API has no such item or page"
            case .invalidRequest: "the API rejected the request"
            case .unauthorized: "the API denied access"
            case .rateLimited: "the API reports too many requests"
            default: "the API reports an error"
            }
        return APIError(
            kind, "\(what) (status \(status))" + Self.later(response.retryAfter, kind), status: status,
            retryAfter: response.retryAfter?.seconds)
    }

    @_optimize(size)
    private func describe(_ response: HTTPResponse) -> APIError {
        let status = response.status
        let seconds = response.retryAfter?.seconds
        return switch status {
        case 404, 410: APIError(.notFound, "the API has no such item or page (status \(status))", status: status)
        case 400, 422: APIError(.invalidRequest, "the API rejected the request (status \(status))", status: status)
        case 401, 403: APIError(.unauthorized, "the API denied access (status \(status))", status: status)
        case 429:
            APIError(
                .rateLimited,
                "the API reports too many requests (status 429)" + Self.later(response.retryAfter, .rateLimited),
                status: status, retryAfter: seconds)
        // The transport follows a redirect with a target, so only a redirect without a target reaches this code.
        case 301, 302, 303, 307, 308:
            APIError(
                .invalidResponse,
                "the API sent a redirect (status \(status)) without a target; check the path in the catalog",
                status: status)
        default:
            APIError(
                .serverError, "the API answered with status \(status)" + Self.later(response.retryAfter, .serverError),
                status: status, retryAfter: seconds)
        }
    }

    /// Returns the last part of an error message: the time until the API accepts requests again. If this time is
    /// unknown, returns `; try again later` for the kind `rateLimited`, and an empty string for other kinds.
    private static func later(_ retryAfter: HTTPRetryAfter?, _ kind: APIError.Kind) -> String {
        guard let retryAfter else { return kind == .rateLimited ? "; try again later" : "" }
        return "; it accepts requests again in \(retryAfter.seconds) s"
            + (retryAfter.isTooLate ? ", after the timeout" : "")
    }

    /// Converts milliseconds to whole seconds, rounded up.
    private static func wholeSeconds(_ milliseconds: Milliseconds) -> Int {
        milliseconds / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
    }

    private static func seconds(_ milliseconds: Milliseconds) -> String {
        milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
    }
}
