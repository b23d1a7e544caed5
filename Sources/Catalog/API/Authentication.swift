import JSON
import Model
import System

extension APIDefinition {
    /// How requests are authorised.
    public enum Authentication: Equatable, Sendable {
        /// `Authorization: Bearer` (RFC 6750).
        case bearer(TokenText)
        /// `Authorization: Basic` (RFC 7617).
        case basic(user: TokenText, password: TokenText)
        /// A header field of the API's own.
        case header(name: String, value: TokenText)
        /// A query parameter of the API's own.
        case query(name: String, value: TokenText)
        /// A bearer token that a token endpoint gives (RFC 6749).
        case oauth2(OAuthSettings)
    }
}

/// A text of `auth`: as the catalog has it, or what a command says.
public enum TokenText: Hashable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case command(TokenCommand)

    public init(stringLiteral text: String) { self = .text(text) }
}

/// A command whose first line of output is a token.
public struct TokenCommand: Hashable, Sendable {
    /// The program and its arguments; at least one word.
    public let words: [String]
    /// For how many milliseconds what it said is used; nil is until an API refuses it.
    public let lifetime: Int?

    public init(words: [String], lifetime: Int? = nil) {
        self.words = words
        self.lifetime = lifetime
    }
}

/// How tokens are asked for: with the client's own credentials, or with a refresh token (RFC 6749, sections 4.4 and 6).
public struct OAuthSettings: Hashable, Sendable {
    /// The token endpoint, an `http` or `https` URL.
    public var tokenURL: String
    /// Who asks.
    public var clientID: String
    /// What proves that.
    public var clientSecret: TokenText
    /// What is asked for; nil leaves that to the server.
    public var scope: String?
    /// What is asked with; nil asks with the client's credentials alone.
    public var refreshToken: TokenText?
    /// Whether the client's credentials go into the body, in place of `Authorization: Basic`.
    public var isInBody = false
    /// What else goes into the body.
    public var params: [Param] = []

    /// Client credentials by Basic, for whatever the server gives.
    public init(tokenURL: String, clientID: String, clientSecret: TokenText) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    /// What is sent besides.
    public struct Param: Hashable, Sendable {
        public let name: String
        public let value: String
    }
}

/// Where a token comes from that the catalog does not have itself.
package enum TokenSource: Hashable, Sendable {
    case command(TokenCommand)
    case oauth(OAuthSettings)
}

/// What lets a request in.
package enum Credential: Equatable {
    case field(HTTPHeader)
    case parameter(QueryItem)
}

extension TokenText {
    /// What the catalog itself has; nil where a command says it.
    var literal: String? { if case .text(let text) = self { text } else { nil } }

    /// The text, with what commands have said.
    package func text(_ tokens: [TokenSource: String]) -> String? {
        switch self {
        case .text(let text): text
        case .command(let command): tokens[.command(command)]
        }
    }

    package var sources: [TokenSource] { if case .command(let command) = self { [.command(command)] } else { [] } }

    /// What of it shapes answers: never what a command said.
    var identity: String {
        switch self {
        case .text(let text): text
        case .command(let command):
            JSONValue.object(JSONObject([("command", .array(command.words.map { .string($0) }))])).text
        }
    }
}

extension APIDefinition.Authentication {
    /// What lets a request in; nil where a token is needed that is not among these.
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

    /// What must be asked before a request.
    package var sources: [TokenSource] {
        switch self {
        case .bearer(let value), .header(_, let value), .query(_, let value): value.sources
        case .basic(let user, let password): user.sources + password.sources
        case .oauth2(let settings): [.oauth(settings)]
        }
    }

    /// What of it shapes answers, for the fingerprint: the settings, and never a token that was asked for.
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
    /// What of it a command may say.
    package var texts: [TokenText] { [clientSecret] + (refreshToken.map { [$0] } ?? []) }

    fileprivate var identity: [String] {
        [tokenURL, clientID, clientSecret.identity, scope ?? "", refreshToken?.identity ?? ""]
            + params.flatMap { [$0.name, $0.value] }
    }
}
