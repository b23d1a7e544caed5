import JSON
import Model
import System

extension APIDefinition {
    /// The credentials of an API. Each case is one way to send credentials.
    public enum Authentication: Equatable, Sendable {
        /// The header field `Authorization: Bearer` (RFC 6750).
        case bearer(TokenText)
        /// The header field `Authorization: Basic` (RFC 7617).
        case basic(user: TokenText, password: TokenText)
        /// A custom header field that carries the credential.
        case header(name: String, value: TokenText)
        /// A query parameter that carries the credential.
        case query(name: String, value: TokenText)
        /// A bearer token from a token endpoint (RFC 6749).
        case oauth2(OAuthSettings)
    }
}

/// The value of a credential in `auth`: a literal string in the catalog, or the output of a command.
public enum TokenText: Hashable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case command(TokenCommand)

    public init(stringLiteral text: String) { self = .text(text) }
}

/// A command that prints an access token on its first line of output.
public struct TokenCommand: Hashable, Sendable {
    /// The command line: the program, followed by its arguments. Contains at least one element.
    public let words: [String]
    /// The lifetime of the token in milliseconds. If nil, the token is used until the API refuses it.
    public let lifetime: Milliseconds?

    public init(words: [String], lifetime: Milliseconds? = nil) {
        self.words = words
        self.lifetime = lifetime
    }
}

/// The settings for OAuth token requests, either with client credentials or with a refresh token (RFC 6749, sections
/// 4.4 and 6).
public struct OAuthSettings: Hashable, Sendable {
    /// The token endpoint, an `http` or `https` URL.
    public var tokenURL: String
    public var clientID: String
    public var clientSecret: TokenText
    /// The OAuth scope to request; nil for the token endpoint's default.
    public var scope: String?
    /// The refresh token; nil for a request with only client credentials.
    public var refreshToken: TokenText?
    /// Whether the client ID and secret are sent in the body of a token request instead of as `Authorization: Basic`.
    public var isInBody = false
    /// Additional parameters in the body of a token request.
    public var params: [Param] = []

    /// Creates settings for token requests with client credentials. The credentials are sent as `Authorization: Basic`.
    /// The scope is the token endpoint's default.
    public init(tokenURL: String, clientID: String, clientSecret: TokenText) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    /// An additional parameter of a token request.
    public struct Param: Hashable, Sendable {
        public let name: String
        public let value: String
    }
}

/// The source of a token from outside the catalog: a command or a token endpoint.
package enum TokenSource: Hashable, Sendable {
    case command(TokenCommand)
    case oauth(OAuthSettings)
}

/// The credential of a single request: a header field or a query parameter.
package enum Credential: Equatable {
    case field(HTTPHeader)
    case parameter(QueryItem)
}

extension TokenText {
    /// The credential if it is a string in the catalog; nil if a command prints it.
    var literal: String? { if case .text(let text) = self { text } else { nil } }

    /// Returns the credential's value: the string in the catalog, or the token printed by the credential's command. Nil
    /// if `tokens` lacks the token of this command.
    package func text(_ tokens: [TokenSource: String]) -> String? {
        switch self {
        case .text(let text): text
        case .command(let command): tokens[.command(command)]
        }
    }

    package var sources: [TokenSource] { if case .command(let command) = self { [.command(command)] } else { [] } }

    /// The string that represents the credential when cache keys are computed: the credential itself or, for a command,
    /// the command line.
    var identity: String {
        switch self {
        case .text(let text): text
        case .command(let command):
            JSONValue.object(JSONObject([("command", .array(command.words.map { .string($0) }))])).text
        }
    }
}

extension APIDefinition.Authentication {
    /// Returns the credential of a request. Nil if the request needs a token that `tokens` does not contain.
    package func credential(with tokens: [TokenSource: String] = [:]) -> Credential? {
        switch self {
        case .bearer(let token): return token.text(tokens).map { Self.bearer($0) }
        case .basic(let user, let password):
            guard let user = user.text(tokens), let password = password.text(tokens) else { return nil }
            return .field(HTTPHeader("Authorization", "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"))
        case .header(let name, let value): return value.text(tokens).map { .field(HTTPHeader(name, $0)) }
        case .query(let name, let value): return value.text(tokens).map { .parameter(QueryItem(name, $0)) }
        case .oauth2(let settings): return tokens[.oauth(settings)].map { Self.bearer($0) }
        }
    }

    private static func bearer(_ token: String) -> Credential {
        .field(HTTPHeader("Authorization", "Bearer \(token)"))
    }

    /// The commands and token endpoints whose tokens a request needs.
    package var sources: [TokenSource] {
        switch self {
        case .bearer(let value), .header(_, let value), .query(_, let value): value.sources
        case .basic(let user, let password): user.sources + password.sources
        case .oauth2(let settings): [.oauth(settings)]
        }
    }

    /// The strings that represent the credentials when cache keys are computed. Excludes tokens that Larder fetches.
    package var identity: [String] {
        switch self {
        case .bearer(let token): ["bearer", token.identity]
        case .basic(let user, let password): ["basic", user.identity, password.identity]
        case .header(let name, let value): ["header", name, value.identity]
        case .query(let name, let value): ["query", name, value.identity]
        case .oauth2(let settings): ["oauth2"] + settings.identity
        }
    }
}

extension OAuthSettings {
    /// The client secret and, if there is one, the refresh token. Each is a literal string or the output of a command.
    package var texts: [TokenText] { [clientSecret] + (refreshToken.map { [$0] } ?? []) }

    fileprivate var identity: [String] {
        [tokenURL, clientID, clientSecret.identity, scope ?? "", refreshToken?.identity ?? ""]
            + params.flatMap { [$0.name, $0.value] }
    }
}
