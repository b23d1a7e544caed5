import Model
import System

/// Prepares requests and answers for cassettes. Redacts secrets, and replaces the base URL in use with the base URL
/// from the catalog.
public struct CassetteScrubber: Sendable {
    private let canonicalURL: @Sendable (String) -> String
    private let redactor: Redactor
    private let headerNames: Set<String>

    /// Creates a scrubber.
    ///
    /// - Parameters:
    ///   - canonicalURL: a function that replaces the base URL in use with the base URL from the catalog. The result is
    ///     then redacted.
    ///   - redactor: redacts the URL, the values of header fields and the body.
    ///   - headers: the names of additional header fields that the catalog reads, in lower case.
    public init(
        canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor, headers: Set<String> = []
    ) {
        self.canonicalURL = canonicalURL
        self.redactor = redactor
        headerNames = Cassette.headerNames.union(headers)
    }

    /// Returns the identity of a request, with secrets redacted.
    public func request(_ request: HTTPRequest) -> CassetteRequest {
        let body = request.method == .post ? request.body : nil
        return CassetteRequest(
            method: request.method, url: redactor.redact(canonicalURL(request.url)),
            bodySHA256: body.map { SHA256.hexHash(redactor.redact($0)) })
    }

    /// Prepares an answer for a cassette. Redacts secrets and removes unneeded header fields.
    func response(_ response: HTTPResponse) -> HTTPResponse {
        let kept = response.headers.filter { headerNames.contains($0.name.lowercased()) }
        return HTTPResponse(
            status: response.status, headers: kept.map { HTTPHeader($0.name.lowercased(), redactor.redact($0.value)) },
            body: redactor.redact(response.body))
    }
}
