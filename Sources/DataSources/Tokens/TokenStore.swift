import Catalog
import HTTP
import JSON
import Model
import System

/// The tokens of a process, whatever catalog asks for them: one that is loaded anew goes on with what is known, and
/// with the refresh token that came last.
public final class TokenStore: Sendable {
    /// What the redactors of the process look for.
    public let learned = LearnedSecrets()

    private struct Endpoint {
        let tokens: OAuthTokens
        let keeper: TokenKeeper
    }

    /// What is kept, and for which catalog it was asked for last.
    private struct Kept<Value> {
        let value: Value
        let catalog: Int
    }

    private struct State {
        var commands: [TokenCommand: Kept<TokenKeeper>] = [:]
        var endpoints: [OAuthEndpoint: Kept<Endpoint>] = [:]
        var rotated: [OAuthGrant: Kept<Lock<String?>>] = [:]
        /// The number of the catalog that asks now.
        var catalog = 0
    }

    /// Of how many catalogs what they have asked for is kept. One whose author tries something out comes back to what
    /// it was; for ever, each secret that a catalog has had would take room.
    private static let mostCatalogs = 8

    private let state = Lock(State())
    private let transport: any HTTPTransportContract
    private let timer: any TimerContract
    private let run: @Sendable ([String]) async -> Program.Finished

    /// No token is known.
    ///
    /// - Parameters:
    ///   - transport: asks token endpoints.
    ///   - run: runs a command to its end.
    public init(
        _ transport: any HTTPTransportContract, timer: any TimerContract = EventLoop.shared,
        run: @escaping @Sendable ([String]) async -> Program.Finished = { await Program.run($0) }
    ) {
        self.transport = transport
        self.timer = timer
        self.run = run
    }

    /// Forgets what none of the last catalogs has asked for; who still uses it keeps it. To be called before the
    /// authorizers of a catalog are asked for.
    public func beginCatalog() {
        state.withLock { state in
            state.catalog += 1
            let oldest = state.catalog - Self.mostCatalogs
            state.commands = state.commands.filter { $0.value.catalog > oldest }
            state.endpoints = state.endpoints.filter { $0.value.catalog > oldest }
            state.rotated = state.rotated.filter { $0.value.catalog > oldest }
        }
    }

    /// How many commands, endpoints and grants are known.
    var count: Int {
        state.withLock { $0.commands.count + $0.endpoints.count + $0.rotated.count }
    }

    /// What lets the requests of an API in; nil where its catalog has all that they need. Nothing is asked yet.
    ///
    /// - Parameters:
    ///   - catalog: the catalog's name, for the place of what fails.
    ///   - secrets: what may not be shown of what commands and token endpoints say.
    public func authorizer(for api: APIDefinition, catalog: String, secrets: [String]) -> RequestAuthorizer? {
        guard let auth = api.auth, !auth.sources.isEmpty else { return nil }
        let place = api.authPlace.map { " (\($0.text(in: catalog)))" } ?? ""
        let keepers = auth.sources.map { source in
            switch source {
            case .command(let command): (source, keeper(of: command, secrets))
            case .oauth(let settings):
                (source, keeper(of: OAuthEndpoint(settings, of: api), timeout: api.timeout, secrets))
            }
        }
        return RequestAuthorizer(
            auth, keepers: Dictionary(keepers) { first, _ in first }, learned: learned,
            prefix: "there is no token for the API '\(api.name)'\(place): ")
    }

    private func keeper(of command: TokenCommand, _ secrets: [String]) -> TokenKeeper {
        let tokens = CommandTokens(command: command, secrets: secrets, learned: learned, run: run)
        let new = TokenKeeper(timer: timer) { await tokens.issue() }
        return state.withLock { state in
            let keeper = state.commands[command]?.value ?? new
            state.commands[command] = Kept(value: keeper, catalog: state.catalog)
            return keeper
        }
    }

    private func keeper(of endpoint: OAuthEndpoint, timeout: Int, _ secrets: [String]) -> TokenKeeper {
        let commands = endpoint.settings.texts.flatMap(\.sources).compactMap { source in
            if case .command(let command) = source { (source, keeper(of: command, secrets)) } else { nil }
        }
        let tokens = OAuthTokens(
            endpoint, rotated: rotated(of: OAuthGrant(endpoint)), keepers: Dictionary(commands) { first, _ in first },
            transport, secrets: secrets, learned: learned, timer: timer)
        let new = TokenKeeper(timer: timer) { await tokens.issue() }
        let known = state.withLock { state in
            let known = state.endpoints[endpoint]?.value ?? Endpoint(tokens: tokens, keeper: new)
            state.endpoints[endpoint] = Kept(value: known, catalog: state.catalog)
            return known
        }
        known.tokens.allow(min(timeout, Int(Int32.max)))
        return known.keeper
    }

    private func rotated(of grant: OAuthGrant) -> Lock<String?> {
        state.withLock { state in
            let rotated = state.rotated[grant]?.value ?? Lock<String?>(nil)
            state.rotated[grant] = Kept(value: rotated, catalog: state.catalog)
            return rotated
        }
    }
}

/// What a refresh token was given for. However its endpoint is reached, the one that came last is the one that is
/// valid.
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

/// A token endpoint as an API reaches it.
struct OAuthEndpoint: Hashable, Sendable {
    let settings: OAuthSettings
    let url: String
    let connection: ConnectionSettings

    init(_ settings: OAuthSettings, of api: APIDefinition) {
        self.settings = settings
        url = Self.reached(settings.tokenURL, of: api)
        connection = api.connection
    }

    /// Where an API is reached elsewhere, so is a token endpoint of its origin.
    private static func reached(_ url: String, of api: APIDefinition) -> String {
        guard api.reachedAt != api.baseURL, let own = URLReference(url), own.origin == URLReference(api.baseURL)?.origin
        else { return url }
        let links = PageLinks(api, constants: [], redactor: .none)
        return links.reachedURL(of: url, in: api.baseURL) ?? url
    }
}
