import Catalog
import HTTP
import JSON
import Model
import System

/// Stores the access tokens and the latest refresh tokens of a process. The tokens stay valid when a catalog is
/// reloaded.
public final class TokenStore: Sendable {
    /// The secrets that the process learned at run time, such as issued tokens. Redactors also replace these secrets.
    public let learned = LearnedSecrets()

    private struct Endpoint {
        let tokens: OAuthTokens
        let provider: TokenProvider
    }

    /// A stored object, such as a token provider, and the number of the last catalog load that used the object.
    private struct Tracked<Value> {
        let value: Value
        let catalog: Int
    }

    private struct State {
        var commands: [TokenCommand: Tracked<TokenProvider>] = [:]
        var endpoints: [OAuthEndpoint: Tracked<Endpoint>] = [:]
        var rotated: [OAuthGrant: Tracked<Lock<String?>>] = [:]
        /// The number of catalog loads so far.
        var catalog = 0
    }

    /// The number of catalog loads after which an unused token is deleted.
    // Undoing an edit of a catalog thus requires no new tokens.
    private static let maxCatalogs = 8

    private let state = Lock(State())
    private let transport: any HTTPTransportContract
    private let timer: any TimerContract
    private let run: @Sendable ([String]) async -> Program.Finished

    /// Creates a store without tokens.
    ///
    /// - Parameters:
    ///   - transport: sends requests to token endpoints.
    ///   - run: runs a command and waits until the command exits.
    public init(
        _ transport: any HTTPTransportContract, timer: any TimerContract = EventLoop.shared,
        run: @escaping @Sendable ([String]) async -> Program.Finished = { await Program.run($0) }
    ) {
        self.transport = transport
        self.timer = timer
        self.run = run
    }

    /// Records the load of a catalog. Deletes tokens that none of the last `maxCatalogs` catalogs used. Call this
    /// function before `authorizer(for:catalog:secrets:)`.
    // An authorizer that still uses a forgotten token can continue to use it.
    public func beginCatalog() {
        state.withLock { state in
            state.catalog += 1
            let oldest = state.catalog - Self.maxCatalogs
            state.commands = state.commands.filter { $0.value.catalog > oldest }
            state.endpoints = state.endpoints.filter { $0.value.catalog > oldest }
            state.rotated = state.rotated.filter { $0.value.catalog > oldest }
        }
    }

    /// The total number of token commands, token endpoints and refresh tokens in the store.
    var count: Int {
        state.withLock { $0.commands.count + $0.endpoints.count + $0.rotated.count }
    }

    /// Returns the object that adds access tokens to the requests to an API. Nil if the API needs no token from a
    /// command or token endpoint.
    ///
    /// - Parameters:
    ///   - catalog: the file name of the catalog, for error messages.
    ///   - secrets: the secrets of the catalog. They are removed from the output of commands and token endpoints.
    @_optimize(size)
    public func authorizer(for api: APIDefinition, catalog: String, secrets: [String]) -> RequestAuthorizer? {
        guard let auth = api.auth, !auth.sources.isEmpty else { return nil }
        let place = api.authPlace.map { " (\($0.text(in: catalog)))" } ?? ""
        let providers = auth.sources.map { source in
            switch source {
            case .command(let command): (source, provider(of: command, secrets))
            case .oauth(let settings):
                (source, provider(of: OAuthEndpoint(settings, of: api), timeout: api.timeout, secrets))
            }
        }
        return RequestAuthorizer(
            auth, providers: Dictionary(providers) { first, _ in first }, learned: learned,
            prefix: "no token for the API '\(api.name)'\(place): ")
    }

    private func provider(of command: TokenCommand, _ secrets: [String]) -> TokenProvider {
        let tokens = CommandTokens(command: command, secrets: secrets, learned: learned, run: run)
        let new = TokenProvider(timer: timer) { await tokens.issue() }
        return state.withLock { state in
            let provider = state.commands[command]?.value ?? new
            state.commands[command] = Tracked(value: provider, catalog: state.catalog)
            return provider
        }
    }

    private func provider(of endpoint: OAuthEndpoint, timeout: Milliseconds, _ secrets: [String]) -> TokenProvider {
        let commands = endpoint.settings.texts.flatMap(\.sources).compactMap { source in
            if case .command(let command) = source { (source, provider(of: command, secrets)) } else { nil }
        }
        let tokens = OAuthTokens(
            endpoint, rotated: rotated(of: OAuthGrant(endpoint)), providers: Dictionary(commands) { first, _ in first },
            transport, secrets: secrets, learned: learned, timer: timer)
        let new = TokenProvider(timer: timer) { await tokens.issue() }
        let known = state.withLock { state in
            let known = state.endpoints[endpoint]?.value ?? Endpoint(tokens: tokens, provider: new)
            state.endpoints[endpoint] = Tracked(value: known, catalog: state.catalog)
            return known
        }
        known.tokens.allow(min(timeout, Int(Int32.max)))
        return known.provider
    }

    private func rotated(of grant: OAuthGrant) -> Lock<String?> {
        state.withLock { state in
            let rotated = state.rotated[grant]?.value ?? Lock<String?>(nil)
            state.rotated[grant] = Tracked(value: rotated, catalog: state.catalog)
            return rotated
        }
    }
}

/// The identity of an OAuth grant. The store keeps the latest refresh token of each grant under this identity.
// The connection settings are not included, because the latest refresh token is also valid through another proxy.
private struct OAuthGrant: Hashable {
    let url: String
    let clientID: String
    let refreshToken: TokenText?

    init(_ endpoint: OAuthEndpoint) {
        url = endpoint.url
        clientID = endpoint.settings.clientID
        refreshToken = endpoint.settings.refreshToken
    }
}

/// The identity of a token endpoint: its settings, its URL, and the connection settings of the API.
struct OAuthEndpoint: Hashable, Sendable {
    let settings: OAuthSettings
    let url: String
    let connection: ConnectionSettings

    init(_ settings: OAuthSettings, of api: APIDefinition) {
        self.settings = settings
        url = Self.reached(settings.tokenURL, of: api)
        connection = api.connection
    }

    /// Returns the URL to use for a token endpoint. The user can replace the base URL of the catalog. The replacement
    /// also applies to a token endpoint that has the same origin as the catalog's base URL.
    private static func reached(_ url: String, of api: APIDefinition) -> String {
        guard api.effectiveBaseURL != api.baseURL, let own = URLReference(url),
            own.origin == URLReference(api.baseURL)?.origin
        else { return url }
        let links = PageLinks(api, constants: [], redactor: .none)
        return links.effectiveURL(of: url, in: api.baseURL) ?? url
    }
}
