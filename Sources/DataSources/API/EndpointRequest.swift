import Catalog
import HTTP
import Model

extension Endpoint {
    /// Returns the HTTP request for the endpoint.
    ///
    /// Treats all header fields from the catalog as credentials. A redirect to another origin therefore removes these
    /// fields.
    public func request(to api: APIDefinition) -> HTTPRequest {
        var query = query
        var credentials = api.headers + headers
        // `RequestAuthorizer` adds tokens from commands and token endpoints later, before each attempt.
        switch api.auth?.credential() {
        case nil: break
        case .field(let field): credentials.append(field)
        case .parameter(let item): query.append(item)
        }
        var headers = [HTTPHeader("Accept", accept)]
        if body != nil { headers.append(HTTPHeader("Content-Type", "application/json")) }
        headers += validators?.headers ?? []
        headers.removeAll { credentials[$0.name] != nil }
        var request = HTTPRequest(
            method: method, url: Self.joined(url ?? api.effectiveBaseURL + path, query), headers: headers,
            credentials: credentials, body: body, isRepeatable: isRepeatable, timeout: api.timeout,
            maxBodySize: api.maxBodySize, errors: errors + api.errors)
        request.connection = api.connection
        request.hasSecretBody = hasSecretBody
        return request
    }
}
