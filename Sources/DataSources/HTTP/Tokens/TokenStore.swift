import JSON
import System

/// The tokens of a process, whatever catalog asks for them: one that is loaded anew goes on with what is known, and
/// with the refresh token that came last.
public final class TokenStore: Sendable {
    /// What the redactors of the process look for.
    public let learned = LearnedSecrets()

    private struct State {
        var commands: [TokenCommand: TokenKeeper] = [:]
        var endpoints: [OAuthEndpoint: TokenKeeper] = [:]
    }

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

    /// What lets the requests of an API in; nil where its catalog has all that they need. Nothing is asked yet.
    ///
    /// - Parameter catalog: the catalog's name, for the place of what fails.
    public func authorizer(for api: APIDefinition, catalog: String) -> RequestAuthorizer? {
        guard let auth = api.auth, !auth.sources.isEmpty else { return nil }
        let place = api.authPlace.map { " (\($0.text(in: catalog)))" } ?? ""
        let keepers = auth.sources.map { source in
            switch source {
            case .command(let command): (source, keeper(of: command))
            case .oauth(let settings): (source, keeper(of: OAuthEndpoint(settings, of: api)))
            }
        }
        return RequestAuthorizer(
            auth, keepers: Dictionary(keepers) { first, _ in first }, learned: learned,
            prefix: "there is no token for the API '\(api.name)'\(place): ")
    }

    private func keeper(of command: TokenCommand) -> TokenKeeper {
        let tokens = CommandTokens(command: command, learned: learned, run: run)
        let new = TokenKeeper(timer: timer) { await tokens.issue() }
        return state.withLock { state in
            let keeper = state.commands[command] ?? new
            state.commands[command] = keeper
            return keeper
        }
    }

    private func keeper(of endpoint: OAuthEndpoint) -> TokenKeeper {
        let commands = endpoint.settings.texts.flatMap(\.sources).compactMap { source in
            if case .command(let command) = source { (source, keeper(of: command)) } else { nil }
        }
        let tokens = OAuthTokens(
            endpoint, keepers: Dictionary(commands) { first, _ in first }, transport, learned: learned, timer: timer)
        let new = TokenKeeper(timer: timer) { await tokens.issue() }
        return state.withLock { state in
            let keeper = state.endpoints[endpoint] ?? new
            state.endpoints[endpoint] = keeper
            return keeper
        }
    }
}

/// A token endpoint as an API reaches it.
struct OAuthEndpoint: Hashable, Sendable {
    let settings: OAuthSettings
    let url: String
    let connection: ConnectionSettings
    /// In milliseconds.
    let timeout: Int

    init(_ settings: OAuthSettings, of api: APIDefinition) {
        self.settings = settings
        url = Self.reached(settings.tokenURL, of: api)
        connection = api.connection
        timeout = min(api.timeout, Int(Int32.max))
    }

    /// Where an API is reached elsewhere, so is a token endpoint of its origin.
    private static func reached(_ url: String, of api: APIDefinition) -> String {
        guard api.reachedAt != api.baseURL, let own = URLReference(url), own.origin == URLReference(api.baseURL)?.origin
        else { return url }
        let links = PageLinks(api, constants: [], redactor: .none)
        return (try? links.url(of: links.target(of: url, in: api.baseURL))) ?? url
    }
}
