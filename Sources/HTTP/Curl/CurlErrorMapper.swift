import CCurl
import Model

/// How a transfer ended that did not end well.
struct CurlFailure {
    /// How far an answer came.
    enum Part {
        case none, head, body
    }

    /// libcurl's result.
    let code: CURLcode
    /// libcurl's text.
    let message: String
    /// The timeout of the request, in milliseconds.
    let timeout: Int
    /// What of the answer was read when it ended.
    let part: Part
    /// How the API is connected to.
    var connection = ConnectionSettings()
    /// The answer's `Content-Encoding`.
    let encoding: String?
}

/// Maps a failed transfer of libcurl to an error of the HTTP transport.
struct CurlErrorMapper: MapperContract {
    let environment: HTTPEnvironment

    func map(_ failure: CurlFailure) -> HTTPError {
        switch failure.code {
        case CURLE_URL_MALFORMAT:
            .invalidURL("the URL is malformed")
        // URLs were checked before, so that an unsupported protocol is the server's: HTTP/0.9, or no HTTP at all.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            .notHTTP(failure.message)
        // No callback refused anything: libcurl's decoder did, and says it by this code.
        case CURLE_WRITE_ERROR:
            .notHTTP("the body is not what its Content-Encoding (\(failure.encoding ?? "none")) says")
        // libcurl has no other code for a line that is longer than its buffer.
        case CURLE_OUT_OF_MEMORY where failure.part == .head:
            .notHTTP("a line of the header section is longer than the 100 KiB that libcurl takes")
        case CURLE_RECV_ERROR where failure.message.contains("chunk"):
            .notHTTP("the body is not what its Transfer-Encoding (chunked) says: \(failure.message)")
        case CURLE_OPERATION_TIMEDOUT:
            .timeout(failure.timeout)
        case CURLE_SSL_CERTPROBLEM where failure.connection.certificate != nil,
            CURLE_SSL_CACERT_BADFILE where failure.connection.authorities != nil:
            // No request was made, and none is until somebody mends it.
            HTTPError(.network(Self.unusable(failure)), attempts: 0)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            HTTPError(.untrusted(failure.message))
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
            .network(ambiguity ?? failure.message)
        default:
            .network(failure.message)
        }
    }

    /// Which file of `tls` cannot be used: libcurl does not say for what it was named.
    private static func unusable(_ failure: CurlFailure) -> String {
        for (key, path) in failure.connection.files {
            guard let fault = ConnectionSettings.fault(ofFile: path) else { continue }
            return "'\(key)' in 'tls' of the API cannot be read: \(path): \(fault)"
        }
        let isOfClient = failure.code == CURLE_SSL_CERTPROBLEM
        let keys = failure.connection.files.map { $0.key }.filter { ($0 == "caFile") != isOfClient }
        let told = keys.map { "'\($0)'" }.joined(separator: " or ")
        return "\(told) in 'tls' of the API cannot be used: \(failure.message)"
    }

    /// What is said in place of libcurl's words where those may name a part of a password.
    private var ambiguity: String? {
        let names = environment.ambiguousProxies
        guard !names.isEmpty else { return nil }
        return "the proxy cannot be used: in the user and password of \(names.joined(separator: ", ")) the characters"
            + " @ / ? # must be percent-encoded"
    }
}
