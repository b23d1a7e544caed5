import Model

/// One request of the chain that an exchange is: the first, or one that a redirect asked for.
///
/// The rules of redirects stand here (RFC 9110, section 15.4; for 301 and 302 with POST the Fetch standard's
/// "HTTP-redirect fetch", which is what every client does).
struct HTTPHop {
    /// An exchange follows this many redirects.
    static let limit = 5

    let url: CurlURL
    let method: HTTPMethod
    let headers: [HTTPHeader]
    /// Empty once a redirect has led to another origin; later hops back to the first origin go without them too, since
    /// whoever led away has chosen the URL.
    let credentials: [HTTPHeader]
    let body: [UInt8]?
    let connection: ConnectionSettings
    private let hasSecretBody: Bool
    private let isBoundToOrigin: Bool
    private let redirects: Int

    /// The first request of an exchange.
    init(_ request: HTTPRequest, to url: CurlURL) {
        self.url = url
        method = request.method
        headers = request.headers
        credentials = request.credentials
        body = request.method == .post ? request.body ?? [] : nil
        connection = request.connection
        hasSecretBody = request.hasSecretBody
        isBoundToOrigin = request.isBoundToOrigin
        redirects = 0
    }

    private init(after hop: HTTPHop, to url: CurlURL, asGET: Bool) {
        let keepsOrigin = url.origin == hop.url.origin
        self.url = url
        method = asGET ? .get : hop.method
        headers = hop.headers.filter { header in
            switch header.name.lowercased() {
            case "content-type", "content-length", "content-encoding": !asGET
            case "host": keepsOrigin
            default: true
            }
        }
        credentials = keepsOrigin ? hop.credentials : []
        connection = keepsOrigin ? hop.connection : hop.connection.withoutCertificate
        hasSecretBody = hop.hasSecretBody
        isBoundToOrigin = hop.isBoundToOrigin
        body = asGET ? nil : hop.body
        redirects = hop.redirects + 1
    }

    /// The request that an answer asks for; nil when the answer is the last one.
    ///
    /// - Throws: `.tooManyRedirects`, or `.badRedirect` for a `Location` that cannot be followed.
    func next(after status: Int, _ fields: [HTTPHeader]) throws(HTTPError) -> HTTPHop? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["Location"], !location.isEmpty
        else { return nil }
        guard redirects < Self.limit else { throw .tooManyRedirects(limit: Self.limit) }
        let (next, asGET) = (try target(location), status <= 303 && method == .post)
        if isBoundToOrigin, next.origin != url.origin {
            throw HTTPError(.badRedirect(location: location, "it is another origin"))
        }
        if hasSecretBody, !asGET, next.origin != url.origin {
            throw HTTPError(.badRedirect(location: location, "a secret in the body would go to another origin"))
        }
        return HTTPHop(after: self, to: next, asGET: asGET)
    }

    private func target(_ location: String) throws(HTTPError) -> CurlURL {
        do throws(HTTPError) {
            return try url.resolving(location)
        } catch {
            guard case .invalidURL(let reason) = error.reason else { throw error }
            throw HTTPError(.badRedirect(location: location, reason))
        }
    }
}
