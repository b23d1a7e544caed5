import DataSources
import Testing

struct HTTPErrorMapperTests {
    @Test(
        arguments: [
            (.invalidURL("no host"), APIError(.invalidRequest, "the request cannot be built: no host")),
            (.notHTTP("garbage"), APIError(.invalidResponse, "the answer is not HTTP: garbage")),
            (.emptyBody, APIError(.invalidResponse, "the answer has no body")),
            (.network("reset"), APIError(.network, "the API was not reached: reset")),
            (.timeout(10_000), APIError(.timeout, "no answer within 10 s")),
            (.timeout(1500), APIError(.timeout, "no answer within 1.5 s")),
            (.tooLarge(limit: 1024), APIError(.tooLarge, "the answer is larger than 1024 bytes")),
            (.tooManyRedirects(limit: 5), APIError(.invalidResponse, "more than 5 redirects")),
            (.cancelled, APIError(.cancelled, "the request was cancelled")),
        ] as [(HTTPError, APIError)])
    func mapsWhatTheTransportSays(error: HTTPError, expected: APIError) {
        #expect(HTTPErrorMapper().map(error) == expected)
    }

    /// Every status that is no success, and whether the cache may stand in.
    @Test(arguments: Array(100...199) + Array(300...599))
    func mapsEveryStatus(status: Int) {
        let error = HTTPErrorMapper().map(.status(HTTPResponse(status: status)))
        let expected: (kind: APIError.Kind, fallsBack: Bool) =
            switch status {
            case 400, 422: (.invalidRequest, false)
            case 401, 403: (.unauthorized, false)
            case 404, 410: (.notFound, false)
            case 429: (.rateLimited, true)
            default: (.serverError, status >= 500)
            }
        #expect(error.kind == expected.kind)
        #expect(error.fallsBackToCache == expected.fallsBack)
        #expect(error.status == status)
        #expect(error.message.contains("\(status)"))
    }

    @Test(arguments: [("7", 7), ("0", 0), ("-1", nil), ("soon", nil), ("1.5", nil), ("", nil)] as [(String, Int?)])
    func retryAfterIsSeconds(value: String, seconds: Int?) {
        let response = HTTPResponse(status: 429, headers: [HTTPHeader("retry-after", value)])
        #expect(HTTPErrorMapper().map(.status(response)).retryAfter == seconds)
    }
}
