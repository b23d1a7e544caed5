import Catalog
import HTTP
import Model
import System

/// Lets the requests of an API in with tokens that a command says, or a token endpoint gives.
public final class RequestAuthorizer: Sendable {
    private let auth: APIDefinition.Authentication
    private let keepers: [TokenSource: TokenKeeper]
    private let learned: LearnedSecrets
    /// Before the reason why there is no token: whose, and where that is declared.
    private let prefix: String

    /// A request with what lets it in.
    struct Authorized {
        var request: HTTPRequest
        fileprivate var used: [TokenSource: TokenKeeper.Token]
    }

    init(
        _ auth: APIDefinition.Authentication, keepers: [TokenSource: TokenKeeper], learned: LearnedSecrets,
        prefix: String
    ) {
        self.auth = auth
        self.keepers = keepers
        self.learned = learned
        self.prefix = prefix
    }

    /// The request as it may be sent.
    ///
    /// - Throws: `.noToken`, with the reason.
    func authorize(_ request: HTTPRequest, before deadline: Int) async throws(HTTPError) -> Authorized {
        var used: [TokenSource: TokenKeeper.Token] = [:]
        do throws(APIError) {
            for source in auth.sources { used[source] = try await keepers[source]?.token(before: deadline) }
        } catch {
            throw HTTPError(error.kind == .cancelled ? .cancelled : .noToken(named(error)), attempts: 0)
        }
        let texts = used.mapValues(\.text)
        // One that is used for long would else be forgotten when many others have been learned since it came.
        for text in texts.values { learned.add(text) }
        // They travel as one text, whose base64 does not hold that of the password alone.
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

    /// Sees to it that the next request does not go with what the API has refused.
    func refuse(_ authorized: Authorized) {
        for (source, token) in authorized.used { keepers[source]?.refuse(token) }
    }

    private func named(_ error: APIError) -> APIError {
        var error = error
        error.message = prefix + error.message
        return error
    }
}
