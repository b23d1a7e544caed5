import CCurl
import Model
import TestSupport
import Testing

@testable import HTTP

/// Tests the errors for libcurl's result codes.
@Suite(.limited) struct CurlErrorMapperTests {
    private static func map(
        _ code: CURLcode, _ message: String = "m", part: CurlFailure.Part = .none, encoding: String? = nil,
        connection: ConnectionSettings = ConnectionSettings(), environment: HTTPEnvironment = .empty
    ) -> HTTPError {
        CurlErrorMapper(environment: environment).map(
            CurlFailure(
                code: code, message: message, timeout: 70, part: part, connection: connection, encoding: encoding))
    }

    @Test(
        arguments: [
            (CURLE_URL_MALFORMAT, .invalidURL("the URL is malformed")), (CURLE_UNSUPPORTED_PROTOCOL, .notHTTP("m")),
            (CURLE_WEIRD_SERVER_REPLY, .notHTTP("m")), (CURLE_BAD_CONTENT_ENCODING, .notHTTP("m")),
            (CURLE_OPERATION_TIMEDOUT, .timeout(70)), (CURLE_PEER_FAILED_VERIFICATION, .untrusted("m")),
            (CURLE_SSL_CACERT_BADFILE, .untrusted("m")), (CURLE_SSL_ISSUER_ERROR, .untrusted("m")),
            (CURLE_SSL_CERTPROBLEM, .network("m")), (CURLE_COULDNT_CONNECT, .network("m")),
            (CURLE_RECV_ERROR, .network("m")), (CURLE_OUT_OF_MEMORY, .network("m")), (CURLE_GOT_NOTHING, .network("m")),
        ] as [(CURLcode, HTTPError.Reason)])
    func curlErrorCodeDeterminesTheReasonOfAnHTTPError(code: CURLcode, reason: HTTPError.Reason) {
        #expect(Self.map(code).reason == reason)
    }

    @Test func longHeaderLineIsNotReportedAsAShortageOfMemory() {
        for part in [CurlFailure.Part.none, .body] {
            #expect(Self.map(CURLE_OUT_OF_MEMORY, part: part).reason == .network("m"))
        }
        let reason = Self.map(CURLE_OUT_OF_MEMORY, part: .head).reason
        #expect(reason == .notHTTP("a header line of the answer is longer than 100 KiB"))
    }

    @Test func errorForAnUndecodableBodyContainsTheEncoding() {
        let names: [(String?, String)] = [("br", "br"), (nil, "none")]
        for (encoding, name) in names {
            let reason = Self.map(CURLE_WRITE_ERROR, part: .body, encoding: encoding).reason
            #expect(reason == .notHTTP("the body does not match its Content-Encoding (\(name))"))
        }
        let reason = Self.map(CURLE_RECV_ERROR, "illegal chunk", part: .body).reason
        #expect(reason == .notHTTP("the body does not match its Transfer-Encoding (chunked): illegal chunk"))
    }

    /// Only an API that declares a file can be affected by it.
    @Test func errorNamesTheUnusableTLSFileOfAnAPI() throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "a.pem")
        let file = folder.file("a.pem") as String
        var authorities = ConnectionSettings()
        authorities.authorities = file
        var certificate = ConnectionSettings()
        (certificate.certificate, certificate.key, certificate.authorities) = (file, file, file)
        let cases: [(CURLcode, ConnectionSettings, String)] = [
            (CURLE_SSL_CACERT_BADFILE, authorities, "'caFile'"),
            (CURLE_SSL_CERTPROBLEM, certificate, "'certFile' or 'keyFile'"),
            (CURLE_SSL_CACERT_BADFILE, certificate, "'caFile'"),
        ]
        for (code, connection, names) in cases {
            let message = "\(names) in 'tls' of the API cannot be used: m; check these files"
            #expect(Self.map(code, connection: connection) == HTTPError(.network(message), attempts: 0))
        }
        #expect(Self.map(CURLE_SSL_CERTPROBLEM, connection: authorities) == HTTPError(.network("m")))
        certificate.key = folder.file("none.pem")
        guard case .network(let text) = Self.map(CURLE_SSL_CERTPROBLEM, connection: certificate).reason else {
            Issue.record("the error is no network error")
            return
        }
        #expect(text.hasPrefix("'keyFile' in 'tls' of the API cannot be read: \(folder.path)/none.pem: "))
    }

    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_PROXY, true), (CURLE_COULDNT_CONNECT, true), (CURLE_PROXY, true),
        (CURLE_GOT_NOTHING, false),
    ])
    func proxyErrorExplainsAnUnencodedPassword(code: CURLcode, isExplained: Bool) {
        let environment = HTTPEnvironment { $0 == "https_proxy" ? Array("http://me:p@ss/w@proxy:1".utf8) : nil }
        guard case .network(let text) = Self.map(code, environment: environment).reason else {
            Issue.record("the error is no network error")
            return
        }
        #expect(text.hasSuffix("https_proxy") == isExplained && (text == "m") == !isExplained)
    }
}
