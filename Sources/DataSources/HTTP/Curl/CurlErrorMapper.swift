import CCurl

/// How a transfer ended that did not end well.
struct CurlFailure {
    /// libcurl's result.
    let code: CURLcode
    /// libcurl's text.
    let message: String
    /// The timeout of the request, in milliseconds.
    let timeout: Int
}

/// From libcurl's results to the transport's errors.
struct CurlErrorMapper: MapperContract {
    func map(_ failure: CurlFailure) -> HTTPError {
        switch failure.code {
        case CURLE_URL_MALFORMAT:
            .invalidURL("the URL is malformed")
        // URLs were checked before, so that an unsupported protocol is the server's: HTTP/0.9, or no HTTP at all.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            .notHTTP(failure.message)
        case CURLE_OPERATION_TIMEDOUT:
            .timeout(failure.timeout)
        default:
            .network(failure.message)
        }
    }
}
