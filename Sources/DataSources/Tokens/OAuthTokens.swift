import Catalog
import HTTP
import JSON
import Model
import System

/// Asks a token endpoint for access tokens (RFC 6749): with the client's credentials (section 4.4), or with a refresh
/// token (section 6). A refresh token that comes back takes the place of the one before.
final class OAuthTokens: Sendable {
    /// A token is renewed so many milliseconds before its end, or a quarter of its time where that is shorter.
    private static let margin = 30_000
    /// What stands for any longer time of a token, in seconds.
    private static let longest = 1e9

    private let settings: OAuthSettings
    private let endpoint: OAuthEndpoint
    private let keepers: [TokenSource: TokenKeeper]
    private let transport: any HTTPTransportContract
    private let secrets: [String]
    private let learned: LearnedSecrets
    private let timer: any TimerContract
    /// The refresh token that came last.
    private let rotated: Lock<String?>
    /// How long an asking may take, in milliseconds.
    private let timeout = Lock(0)

    /// - Parameters:
    ///   - rotated: shared by all that begin with the same refresh token.
    ///   - keepers: those of the commands that the settings name.
    ///   - secrets: those of the catalog that has the settings.
    init(
        _ endpoint: OAuthEndpoint, rotated: Lock<String?>, keepers: [TokenSource: TokenKeeper],
        _ transport: any HTTPTransportContract, secrets: [String], learned: LearnedSecrets, timer: any TimerContract
    ) {
        settings = endpoint.settings
        self.endpoint = endpoint
        self.rotated = rotated
        self.keepers = keepers
        self.transport = transport
        self.secrets = secrets
        self.learned = learned
        self.timer = timer
    }

    /// Lets an asking take so many milliseconds at least. Several APIs may wait for it, each until its own deadline.
    func allow(_ milliseconds: Int) {
        timeout.withLock { $0 = max($0, milliseconds) }
    }

    /// Asks once.
    func issue() async -> Result<TokenKeeper.Issued, APIError> {
        do throws(APIError) {
            let timeout = self.timeout.withLock { $0 }
            let deadline = timer.milliseconds + timeout
            var used: [TokenSource: TokenKeeper.Token] = [:]
            for (source, keeper) in keepers { used[source] = try await keeper.token(before: deadline) }
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

    private func request(_ tokens: [TokenSource: String], _ refresh: String?, timeout: Int) -> HTTPRequest {
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
            // Both are encoded first, so that a colon in one of them does not part them (section 2.3.1).
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
        _ response: HTTPResponse, _ used: [TokenSource: TokenKeeper.Token], _ refresh: String?
    ) throws(APIError) -> TokenKeeper.Issued {
        let said = (try? response.json()).map { $0.withRoot { OAuthAnswer($0) } }
        guard let answer = said, (200...299).contains(response.status), let token = answer.token else {
            forget(used, refresh, status: response.status, error: said?.error)
            throw refusal(response, said?.words)
        }
        learned.add(token)
        if let refresh = answer.refreshToken {
            learned.add(refresh)
            if settings.refreshToken != nil { rotated.withLock { $0 = refresh } }
        }
        guard HTTPHeader.isSafe(name: "x", value: token) else {
            throw failure(of: APIError(.invalidResponse, "its 'access_token' cannot stand in a header field"))
        }
        guard answer.isBearer else {
            let type = APIWords.shown(redactor.redact(answer.type), redactor)
            let reason = "its 'token_type' is \(type): only \"bearer\" is supported"
            throw failure(of: APIError(.invalidResponse, "\(reason); ask the provider for a bearer token"))
        }
        let lifetime = answer.seconds.map { seconds in
            let whole = Int(max(0, min(seconds, Self.longest)) * 1000)
            return whole - min(Self.margin, whole / 4)
        }
        return TokenKeeper.Issued(token, lifetime: lifetime)
    }

    /// Forgets what was refused, and nothing where the endpoint has only failed: a refresh token that was rotated away
    /// cannot be had again.
    private func forget(
        _ used: [TokenSource: TokenKeeper.Token], _ refresh: String?, status: Int, error: String?
    ) {
        let refusesGrant = (status == 400 || status == 401) && error == "invalid_grant"
        let refusesClient = status == 401 || error == "invalid_client"
        // Another asking may have brought a newer one by now.
        if refusesGrant { rotated.withLock { if $0 == refresh { $0 = nil } } }
        let ofGrant = settings.refreshToken?.sources ?? []
        for (source, token) in used where refusesClient || (refusesGrant && ofGrant.contains(source)) {
            keepers[source]?.refuse(token)
        }
    }

    /// The error of an answer without a token, with the server's own words.
    private func refusal(_ response: HTTPResponse, _ words: String?) -> APIError {
        let status = response.status
        var error =
            switch status {
            case 200...299 where words == nil: APIError(.invalidResponse, "its answer has no 'access_token'")
            case 500...: APIError(.serverError, "it answered with status \(status)", status: status)
            case 429: APIError(.rateLimited, "it has had too many requests (status 429)")
            default: APIError(.unauthorized, "it refuses the client (status \(status))")
            }
        if let words {
            // A secret is found before its line breaks and tabs become blanks.
            let shown = APIWords.shown(redactor.redact(words), redactor)
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

/// What a token endpoint says (RFC 6749, sections 5.1 and 5.2).
private struct OAuthAnswer {
    let token: String?
    let refreshToken: String?
    let seconds: Double?
    /// The token's type as JSON text; empty if the answer has none.
    let type: String
    /// Whether the token is a bearer token (RFC 6750). An answer without a type counts as one: many providers omit it,
    /// though RFC 6749 requires it.
    let isBearer: Bool
    /// The code of an error.
    let error: String?
    /// What it says of an error.
    let words: String?

    init(_ view: JSONView) {
        func text(_ key: String) -> String? { view[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        token = text("access_token")
        refreshToken = text("refresh_token")
        let type = view["token_type"].map { JSONValue($0) } ?? .null
        self.type = type == .null || type == "" ? "" : type.text
        isBearer = self.type.isEmpty || type.plainText.lowercased() == "bearer"
        // Some write it as a text.
        seconds = view["expires_in"]?.double ?? text("expires_in").flatMap { Double($0) }
        error = text("error")
        let said = [error, text("error_description")].compactMap { $0 }
        words = said.isEmpty ? text("message") : said.joined(separator: ": ")
    }
}
