import Catalog
import HTTP
import Model
import System

/// Adds access tokens to the requests to one API. The tokens come from a command or a token endpoint.
public final class RequestAuthorizer: Sendable {
    private let auth: APIDefinition.Authentication
    private let providers: [TokenSource: TokenProvider]
    private let learned: LearnedSecrets
    /// The prefix of every error message. It contains the name of the API and the location of `auth` in the catalog
    /// file.
    private let prefix: String

    /// A request with its credentials, and the tokens that the credentials contain.
    struct Authorized {
        var request: HTTPRequest
        fileprivate var used: [TokenSource: TokenProvider.Token]
    }

    init(
        _ auth: APIDefinition.Authentication, providers: [TokenSource: TokenProvider], learned: LearnedSecrets,
        prefix: String
    ) {
        self.auth = auth
        self.providers = providers
        self.learned = learned
        self.prefix = prefix
    }

    /// Returns the request with its credentials. Waits for tokens that were not issued yet.
    ///
    /// - Parameter deadline: the time at which to stop waiting, in milliseconds of the timer's clock.
    /// - Throws: `.noToken` with the reason if a token cannot be issued; `.cancelled` if the task is cancelled.
    @_optimize(size)
    func authorize(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> Authorized {
        var used: [TokenSource: TokenProvider.Token] = [:]
        do throws(APIError) {
            for source in auth.sources { used[source] = try await providers[source]?.token(before: deadline) }
        } catch {
            throw HTTPError(error.kind == .cancelled ? .cancelled : .noToken(named(error)), attempts: 0)
        }
        let texts = used.mapValues(\.text)
        // Tokens are learned again at each use, because a long-used token would be forgotten after many others were
        // learned.
        for text in texts.values { learned.add(text) }
        // User and password are sent as one base64 string. It does not contain the base64 form of the password alone,
        // so it must be learned, too.
        if case .basic(let user, let password) = auth, let user = user.text(texts), let password = password.text(texts)
        {
            learned.add("\(user):\(password)")
        }
        var authorized = Authorized(request: request, used: used)
        switch auth.credential(with: texts) {
        case nil: break
        case .field(let field):
            authorized.request.headers.removeAll { $0.isNamed(field.name) }
            authorized.request.credentials.append(field)
        case .parameter(let item): authorized.request.url = Endpoint.joined(request.url, [item])
        }
        return authorized
    }

    /// Forgets the tokens of a request that the API rejected, so that the next request uses new tokens.
    func refuse(_ authorized: Authorized) {
        for (source, token) in authorized.used { providers[source]?.refuse(token) }
    }

    private func named(_ error: APIError) -> APIError {
        var error = error
        error.message = prefix + error.message
        return error
    }
}
