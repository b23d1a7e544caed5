import DataSources
import HTTP
import Model
import TestSupport
import Testing

@Suite(.limited) struct HTTPErrorMapperTests {
    @Test(
        arguments: [
            (.invalidURL("no host"), APIError(.invalidRequest, "cannot build the request: no host")),
            (
                .notHTTP("garbage"),
                APIError(
                    .invalidResponse,
                    "cannot read the server's answer: garbage; try again later, or report this to the API's provider")
            ),
            (.emptyBody, APIError(.invalidResponse, "the server's answer has no body; check the path in the catalog")),
            (.network("reset"), APIError(.network, "the API was not reached: reset")),
            (.notReplayed("no cassette"), APIError(.notReplayed, "no cassette")),
            (.timeout(10_000), APIError(.timeout, "no answer within 10 s")),
            (.timeout(1500), APIError(.timeout, "no answer within 1.5 s")),
            (
                .tooLarge(limit: 1024),
                APIError(.tooLarge, "the server's answer is larger than 1024 bytes; raise 'maxBodySize' in the catalog")
            ),
            (
                .tooManyRedirects(limit: 5),
                APIError(.invalidResponse, "the server redirected more than 5 times; check the path in the catalog")
            ),
            (
                .badRedirect(location: "ftp://u:p@host/s3cr3t-t0k3n", "no"),
                APIError(
                    .invalidResponse, "cannot follow the redirect to 'ftp://***@host/***': no")
            ),
            (
                .untrusted("self-signed"),
                APIError(
                    .network,
                    "the server's certificate is refused: self-signed; for a private certificate authority, set "
                        + "SSL_CERT_FILE or CURL_CA_BUNDLE to a file with the authority's certificate (PEM)")
            ),
            (.cancelled, APIError(.cancelled, "the request was cancelled")),
            (.notRecorded("disk full"), APIError(.network, "cannot save the cassette: disk full")),
            (
                .crowded(limit: 8, timeout: 1500),
                APIError(
                    .timeout,
                    "no request was sent within 1.5 s: 8 requests to this API were already in flight (maxConcurrent); "
                        + "try again later")
            ),
            (
                .limited(RateLimit(requests: 100, per: 60_000), wait: 12_001),
                APIError(
                    .rateLimited,
                    "no request was sent: Larder's own limit of 100 requests in 60 s (rateLimit) is used up, "
                        + "and the wait of 13 s exceeds the timeout; try again in 13 s", retryAfter: 13)
            ),
        ] as [(HTTPError.Reason, APIError)])
    func everyTransportErrorIsMappedToAnErrorKind(reason: HTTPError.Reason, expected: APIError) {
        var expected = expected
        expected.attempts = 2
        #expect(
            HTTPErrorMapper(redactor: Redactor(secrets: ["s3cr3t-t0k3n"])).map(HTTPError(reason, attempts: 2))
                == expected)
    }

    /// Every status outside 2xx, and whether a cached entry may be used instead.
    @Test(arguments: Array(100...199) + Array(300...599))
    func everyErrorStatusIsMappedToAnErrorKind(status: Int) {
        let error = HTTPErrorMapper(redactor: .none).map(.status(HTTPResponse(status: status)))
        let expected: (kind: APIError.Kind, fallsBack: Bool) =
            switch status {
            case 400, 422: (.invalidRequest, false)
            case 401, 403: (.unauthorized, false)
            case 404, 410: (.notFound, false)
            case 429: (.rateLimited, true)
            case 301, 302, 303, 307, 308: (.invalidResponse, true)
            default: (.serverError, status >= 500)
            }
        #expect(error.kind == expected.kind)
        #expect(error.fallsBackToCache == expected.fallsBack)
        #expect(error.status == status)
        #expect(error.message.contains("\(status)"))
    }

    @Test(arguments: [(0, 0), (1, 1), (1000, 1), (1001, 2), (2999, 3), (3000, 3)])
    func retryTimeInAnErrorIsRoundedUpToSeconds(milliseconds: Int, seconds: Int) {
        let mapper = HTTPErrorMapper(redactor: .none)
        #expect(mapper.map(.init(.paused(wait: milliseconds))).retryAfter == seconds)
        let limit = RateLimit(requests: 1, per: 1000)
        #expect(mapper.map(.init(.limited(limit, wait: milliseconds))).retryAfter == seconds)
    }

    @Test(arguments: [429, 503], [false, true])
    func rateLimitMessageContainsTheRetryTime(status: Int, isTooLate: Bool) {
        let response = HTTPResponse(
            status: status, attempts: 2, retryAfter: HTTPRetryAfter(seconds: 7, isTooLate: isTooLate))
        let error = HTTPErrorMapper(redactor: .none).map(.status(response))
        #expect(error.retryAfter == 7)
        #expect(error.attempts == 2)
        #expect(
            error.message.hasSuffix(
                "; it accepts requests again in 7 s" + (isTooLate ? ", after the timeout" : "")))
    }
}
