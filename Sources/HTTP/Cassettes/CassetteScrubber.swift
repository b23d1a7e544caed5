import Model
import System

/// What makes a request and an answer fit for a cassette: the declared base URL in place of another, and no secrets.
public struct CassetteScrubber: Sendable {
    private let canonicalURL: @Sendable (String) -> String
    private let redactor: Redactor
    private let headerNames: Set<String>

    /// - Parameters:
    ///   - canonicalURL: turns a URL as sent into the one that cassettes name. It is applied first.
    ///   - redactor: takes the secrets out of the URL, the header fields' values and the body.
    ///   - headers: the fields of answers, in lower case, that are kept beside those that always are: a catalog reads
    ///     them.
    public init(
        canonicalURL: @escaping @Sendable (String) -> String = { $0 }, redactor: Redactor, headers: Set<String> = []
    ) {
        self.canonicalURL = canonicalURL
        self.redactor = redactor
        headerNames = Cassette.headerNames.union(headers)
    }

    /// What a cassette knows of a request.
    public func request(_ request: HTTPRequest) -> CassetteRequest {
        let body = request.method == .post ? request.body : nil
        return CassetteRequest(
            method: request.method, url: redactor.redact(canonicalURL(request.url)),
            bodySHA256: body.map { SHA256.hexHash(redactor.redact($0)) })
    }

    /// What a cassette keeps of an answer: the fields that it may, and no secrets.
    func response(_ response: HTTPResponse) -> HTTPResponse {
        let kept = response.headers.filter { headerNames.contains($0.name.lowercased()) }
        return HTTPResponse(
            status: response.status, headers: kept.map { HTTPHeader($0.name.lowercased(), redactor.redact($0.value)) },
            body: redactor.redact(response.body))
    }
}
