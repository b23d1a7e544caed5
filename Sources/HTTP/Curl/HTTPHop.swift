import Model

/// One request of an HTTP exchange: the first request, or a request that follows a redirect (RFC 9110, section 15.4).
// For a POST with 301 or 302, this type follows "HTTP-redirect fetch" of the Fetch standard, as all common clients do.
struct HTTPHop {
    /// The maximum number of redirects per exchange.
    static let limit = 5

    let url: CurlURL
    let method: HTTPMethod
    let headers: [HTTPHeader]
    /// The header fields with credentials. A redirect to another origin removes them for the rest of the exchange.
    // The other origin chose the URL of the next request.
    let credentials: [HTTPHeader]
    let body: [UInt8]?
    let connection: ConnectionSettings
    private let hasSecretBody: Bool
    private let isBoundToOrigin: Bool
    private let redirects: Int

    /// Creates the first request of an exchange.
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

    /// The target URL of the last redirect; nil if there was no redirect.
    var redirectedURL: String? { redirects > 0 ? url.text : nil }

    /// Returns the next request if the answer is a redirect. Returns nil for other answers.
    ///
    /// - Throws: `.tooManyRedirects` after too many redirects; `.badRedirect` if the `Location` is forbidden or
    ///   invalid.
    func next(after status: Int, _ fields: [HTTPHeader]) throws(HTTPError) -> HTTPHop? {
        guard [301, 302, 303, 307, 308].contains(status), let location = fields["Location"], !location.isEmpty
        else { return nil }
        guard redirects < Self.limit else { throw .tooManyRedirects(limit: Self.limit) }
        let (next, asGET) = (try target(location), status <= 303 && method == .post)
        if isBoundToOrigin, next.origin != url.origin {
            throw HTTPError(.badRedirect(location: location, "the redirect leads to another origin"))
        }
        if hasSecretBody, !asGET, next.origin != url.origin {
            throw HTTPError(
                .badRedirect(
                    location: location,
                    "the redirect leads to another origin, and the request's body contains a secret;"
                        + " set 'baseURL' to the API's current URL"))
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
