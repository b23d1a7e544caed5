import CCurl
import Model
import System

/// The details of a failed libcurl transfer.
struct CurlFailure {
    /// The part of the HTTP answer that the transfer was receiving. It is `none` if nothing has arrived.
    enum Part {
        case none, head, body
    }

    let code: CURLcode
    /// The error message of libcurl.
    let message: String
    let timeout: Milliseconds
    let part: Part
    var connection = ConnectionSettings()
    /// The `Content-Encoding` of the answer; nil if the answer has none.
    let encoding: String?
}

/// Maps failed libcurl transfers to HTTP errors.
struct CurlErrorMapper: MapperContract {
    let environment: HTTPEnvironment

    func map(_ failure: CurlFailure) -> HTTPError {
        switch failure.code {
        case CURLE_URL_MALFORMAT:
            .invalidURL("the URL is malformed")
        // The schemes of request URLs were checked earlier. The unsupported protocol is therefore the protocol of the
        // answer, such as HTTP/0.9.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            .notHTTP(failure.message)
        // No callback failed, so the error comes from libcurl's decoder.
        case CURLE_WRITE_ERROR:
            .notHTTP("the body does not match its Content-Encoding (\(failure.encoding ?? "none"))")
        // libcurl reports a line that exceeds its buffer with this code.
        case CURLE_OUT_OF_MEMORY where failure.part == .head:
            .notHTTP("a header line of the answer is longer than 100 KiB")
        case CURLE_RECV_ERROR where failure.message.contains("chunk"):
            .notHTTP("the body does not match its Transfer-Encoding (chunked): \(failure.message)")
        case CURLE_OPERATION_TIMEDOUT:
            .timeout(failure.timeout)
        case CURLE_SSL_CERTPROBLEM where failure.connection.certificate != nil,
            CURLE_SSL_CACERT_BADFILE where failure.connection.authorities != nil:
            // No request was sent. Retries fail in the same way until a person fixes the file.
            HTTPError(.network(Self.unusable(failure)), attempts: 0)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            HTTPError(.untrusted(failure.message))
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
            .network(proxyHint ?? failure.message)
        default:
            .network(failure.message)
        }
    }

    /// Returns the error message for an unusable certificate or key. The message names the first unreadable file. If
    /// all files are readable, it names every file that can be the cause.
    // libcurl does not report the file at fault.
    private static func unusable(_ failure: CurlFailure) -> String {
        for (key, path) in failure.connection.files {
            guard let fault = ConnectionSettings.fault(ofFile: path) else { continue }
            return "'\(key)' in 'tls' of the API cannot be read: \(path): \(fault); check the path and its permissions"
        }
        let isOfClient = failure.code == CURLE_SSL_CERTPROBLEM
        let keys = failure.connection.files.map { $0.key }.filter { ($0 == "caFile") != isOfClient }
        let names = keys.map { "'\($0)'" }.joined(separator: " or ")
        return "\(names) in 'tls' of the API cannot be used: \(failure.message); check these files"
    }

    /// The error message if the user or password in a proxy variable contains an unencoded delimiter; otherwise nil. It
    /// replaces libcurl's message, because that message might contain a part of the password.
    private var proxyHint: String? {
        let names = environment.unencodedProxies
        guard !names.isEmpty else { return nil }
        return "the proxy cannot be used: percent-encode the characters @ / ? # in the user and password of"
            + " \(names.joined(separator: ", "))"
    }
}
