/// What makes a request and an answer fit for a cassette: the declared base URL in place of another, and no secrets.
public struct CassetteScrubber: Sendable {
    private let canonicalURL: @Sendable (String) -> String
    private let sanitize: @Sendable (String) -> String

    /// - Parameters:
    ///   - canonicalURL: turns a URL as sent into the one that cassettes name. It is applied first.
    ///   - sanitize: takes the secrets out of a text: a URL, a header field's value, a body.
    public init(
        canonicalURL: @escaping @Sendable (String) -> String = { $0 },
        sanitize: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.canonicalURL = canonicalURL
        self.sanitize = sanitize
    }

    /// What a cassette knows of a request.
    public func request(_ request: HTTPRequest) -> CassetteRequest {
        let body = request.method == .post ? request.body : nil
        return CassetteRequest(
            method: request.method, url: sanitize(canonicalURL(request.url)),
            bodySHA256: body.map { SHA256.hexHash(bytes($0)) })
    }

    /// What a cassette keeps of an answer: the fields that it may, and no secrets. A body that is no UTF-8 stays as it
    /// is.
    func response(_ response: HTTPResponse) -> HTTPResponse {
        let kept = response.headers.filter { Cassette.headerNames.contains($0.name.lowercased()) }
        return HTTPResponse(
            status: response.status, headers: kept.map { HTTPHeader($0.name.lowercased(), sanitize($0.value)) },
            body: bytes(response.body))
    }

    private func bytes(_ bytes: [UInt8]) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        return Array(sanitize(text).utf8)
    }
}
