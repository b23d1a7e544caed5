import Catalog
import HTTP
import JSON
import Model
import System

/// Requests access tokens from a token endpoint (RFC 6749), with the client's credentials (section 4.4) or a refresh
/// token (section 6). If the endpoint returns a new refresh token, the new token replaces the old one.
final class OAuthTokens: Sendable {
    /// The safety margin in milliseconds: a token is renewed this long before it expires. If a quarter of the token's
    /// lifetime is shorter, Larder uses the quarter instead.
    private static let margin = 30_000
    /// The maximum lifetime of a token, in seconds. A longer lifetime is reduced to this number.
    private static let maxLifetime = 1e9

    private let settings: OAuthSettings
    private let endpoint: OAuthEndpoint
    private let providers: [TokenSource: TokenProvider]
    private let transport: any HTTPTransportContract
    private let secrets: [String]
    private let learned: LearnedSecrets
    private let timer: any TimerContract
    /// The latest refresh token from the endpoint. If nil, the refresh token of the catalog is used.
    private let rotated: Lock<String?>
    /// The timeout of a token request, in milliseconds.
    private let timeout = Lock(0)

    /// Creates an object that requests access tokens from one token endpoint.
    ///
    /// - Parameters:
    ///   - rotated: the latest refresh token, in a lock. Endpoints share this lock if the catalog gives them the same
    ///     URL, client id and refresh token.
    ///   - providers: the token providers for the commands in the endpoint's settings.
    ///   - secrets: the secrets of the catalog, which are removed from error messages.
    init(
        _ endpoint: OAuthEndpoint, rotated: Lock<String?>, providers: [TokenSource: TokenProvider],
        _ transport: any HTTPTransportContract, secrets: [String], learned: LearnedSecrets, timer: any TimerContract
    ) {
        settings = endpoint.settings
        self.endpoint = endpoint
        self.rotated = rotated
        self.providers = providers
        self.transport = transport
        self.secrets = secrets
        self.learned = learned
        self.timer = timer
    }

    /// Raises the timeout of token requests to at least `milliseconds`.
    // Several APIs with different timeouts may use one endpoint.
    func allow(_ milliseconds: Milliseconds) {
        timeout.withLock { $0 = max($0, milliseconds) }
    }

    /// Sends one token request and returns the issued token.
    func issue() async -> Result<TokenProvider.Issued, APIError> {
        do throws(APIError) {
            let timeout = self.timeout.withLock { $0 }
            let deadline = timer.milliseconds + timeout
            var used: [TokenSource: TokenProvider.Token] = [:]
            for (source, provider) in providers { used[source] = try await provider.token(before: deadline) }
            let texts = used.mapValues(\.text)
            let refresh = settings.refreshToken.map { declared in
                rotated.withLock { $0 } ?? declared.text(texts) ?? ""
            }
            let request = request(texts, refresh, timeout: timeout)
            let response: HTTPResponse
            do throws(HTTPError) {
                response = try await transport.send(request, before: deadline)
            } catch {
                var mapped = HTTPErrorMapper(redactor: redactor).map(error)
                if case .badRedirect = error.reason {
                    mapped.message += "; set 'tokenURL' to the URL at which the provider answers"
                }
                throw failure(of: mapped)
            }
            return .success(try read(response, used, refresh))
        } catch {
            return .failure(error)
        }
    }

    private var redactor: Redactor { Redactor(secrets: secrets, learned: learned) }

    private func request(_ tokens: [TokenSource: String], _ refresh: String?, timeout: Milliseconds) -> HTTPRequest {
        let secret = settings.clientSecret.text(tokens) ?? ""
        learned.add(secret)
        var form = [QueryItem("grant_type", "client_credentials")]
        if let refresh {
            learned.add(refresh)
            form = [QueryItem("grant_type", "refresh_token"), QueryItem("refresh_token", refresh)]
        }
        if let scope = settings.scope { form.append(QueryItem("scope", scope)) }
        form += settings.params.map { QueryItem($0.name, $0.value) }
        var credentials: [HTTPHeader] = []
        if settings.isInBody {
            form += [QueryItem("client_id", settings.clientID), QueryItem("client_secret", secret)]
        } else {
            // Client id and secret are percent-encoded, so that a colon in one of them is not taken for the separator
            // (section 2.3.1).
            let pair = "\(PercentEncoding.encode(settings.clientID)):\(PercentEncoding.encode(secret))"
            learned.add(pair)
            credentials = [HTTPHeader("Authorization", "Basic \(Base64.encode(Array(pair.utf8)))")]
        }
        let body = form.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        var request = HTTPRequest(
            method: .post, url: endpoint.url,
            headers: [
                HTTPHeader("Accept", "application/json"),
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            ], credentials: credentials, body: Array(body.joined(separator: "&").utf8), timeout: timeout,
            maxBodySize: 1 << 20)
        request.connection = endpoint.connection
        request.hasSecretBody = true
        request.isBoundToOrigin = true
        return request
    }

    private func read(
        _ response: HTTPResponse, _ used: [TokenSource: TokenProvider.Token], _ refresh: String?
    ) throws(APIError) -> TokenProvider.Issued {
        let parsed = (try? response.json()).map { $0.withRoot { OAuthAnswer($0) } }
        guard let answer = parsed, (200...299).contains(response.status), let token = answer.token else {
            forget(used, refresh, status: response.status, error: parsed?.error)
            throw refusal(response, parsed?.message)
        }
        learned.add(token)
        if let refresh = answer.refreshToken {
            learned.add(refresh)
            if settings.refreshToken != nil { rotated.withLock { $0 = refresh } }
        }
        guard HTTPHeader.isSafe(name: "x", value: token) else {
            throw failure(
                of: APIError(
                    .invalidResponse,
                    "the 'access_token' has characters that a header must not have; report this to the API's provider"))
        }
        guard answer.isBearer else {
            let type = ErrorMessageFinder.shown(redactor.redact(answer.type), redactor)
            let reason = "the 'token_type' is \(type): only \"bearer\" is supported"
            throw failure(of: APIError(.invalidResponse, "\(reason); ask the API's provider for a bearer token"))
        }
        let lifetime = answer.seconds.map { seconds in
            let whole = Int(max(0, min(seconds, Self.maxLifetime)) * 1000)
            return whole - min(Self.margin, whole / 4)
        }
        return TokenProvider.Issued(token, lifetime: lifetime)
    }

    /// Deletes the tokens that the token endpoint rejected as invalid. After other errors, keeps all tokens, because a
    /// deleted refresh token is lost forever.
    private func forget(
        _ used: [TokenSource: TokenProvider.Token], _ refresh: String?, status: Int, error: String?
    ) {
        let refusesGrant = (status == 400 || status == 401) && error == "invalid_grant"
        let refusesClient = status == 401 || error == "invalid_client"
        // Another token request may have stored a newer refresh token in the meantime.
        if refusesGrant { rotated.withLock { if $0 == refresh { $0 = nil } } }
        let grantSources = settings.refreshToken?.sources ?? []
        for (source, token) in used where refusesClient || (refusesGrant && grantSources.contains(source)) {
            providers[source]?.refuse(token)
        }
    }

    /// Creates the error for a token endpoint's answer without an access token. Appends the endpoint's own error
    /// message.
    private func refusal(_ response: HTTPResponse, _ message: String?) -> APIError {
        let status = response.status
        var error =
            switch status {
            case 200...299 where message == nil:
                APIError(.invalidResponse, "the answer has no 'access_token'; check 'tokenURL' in the catalog")
            case 500...:
                APIError(.serverError, "the server failed with status \(status); try again later", status: status)
            case 429: APIError(.rateLimited, "too many requests (status 429); try again later")
            default: APIError(.unauthorized, "the client id or secret is rejected (status \(status)); check both")
            }
        if let message {
            // Secrets are replaced before line breaks and tabs become spaces, because these could hide a secret.
            let shown = ErrorMessageFinder.shown(redactor.redact(message), redactor)
            error.apiMessage = shown
            error.message += ": \(shown)"
        }
        return failure(of: error)
    }

    private func failure(of error: APIError) -> APIError {
        var error = error
        error.message = "from the token endpoint: \(error.message)"
        return error
    }
}

/// The answer of a token endpoint (RFC 6749, sections 5.1 and 5.2).
private struct OAuthAnswer {
    let token: String?
    let refreshToken: String?
    /// The lifetime of the access token, in seconds.
    let seconds: Double?
    /// The type of the token (`token_type`) as JSON, such as `"bearer"`; empty if the answer contains no type.
    let type: String
    /// Whether the token is a bearer token (RFC 6750). Also true for an answer without a type, because many providers
    /// omit the type.
    let isBearer: Bool
    /// The error code in the answer, such as `invalid_grant`; nil if there is none.
    let error: String?
    /// The error message in the answer; nil if there is none.
    let message: String?

    init(_ view: JSONView) {
        func text(_ key: String) -> String? { view[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        token = text("access_token")
        refreshToken = text("refresh_token")
        let type = view["token_type"].map { JSONValue($0) } ?? .null
        self.type = type == .null || type == "" ? "" : type.text
        isBearer = self.type.isEmpty || type.plainText.lowercased() == "bearer"
        // Some endpoints return the lifetime as a string.
        seconds = view["expires_in"]?.double ?? text("expires_in").flatMap { Double($0) }
        error = text("error")
        let details = [error, text("error_description")].compactMap { $0 }
        message = details.isEmpty ? text("message") : details.joined(separator: ": ")
    }
}
