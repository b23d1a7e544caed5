import DataSources
import Model
import Synchronization
import System

/// The methods, the resources and the secrets of one loaded catalog.
package struct ServedCatalog: Sendable {
    /// The methods of Larder's own JSON-RPC protocol.
    package let router: Router
    /// The methods of the Model Context Protocol, by name.
    var mcp = MCPRouter(methods: [:])
    /// The secrets that the redactor must replace in messages.
    package internal(set) var secrets: [String] = []
    /// The handler contexts of all resources, by resource name. After a reload, each observer looks up its resource in
    /// this dictionary.
    package internal(set) var resources: [String: ResourceContext] = [:]
    /// The engine that answers SQL statements over the tables of the resources; nil in tests without a cache.
    package internal(set) var queries: CatalogQueries?
}

/// The catalog that the server uses now. A reload replaces the catalog while requests run. Requests in flight finish
/// with the old catalog, and later requests use the new catalog.
package final class CurrentCatalog: Sendable {
    private struct State {
        var serving: ServedCatalog
        /// The secrets of former catalogs, newest first. If consecutive catalogs have the same secrets, their list is
        /// stored only once.
        var former: [[String]] = []

        var secrets: [String] {
            var seen: Set<String> = []
            return ([serving.secrets] + former).joined().filter { seen.insert($0).inserted }
        }
    }

    /// The maximum number of former catalogs whose secrets are redacted. Each secret slows down the redaction of log
    /// lines.
    private static let maxFormer = 8

    private let state: Lock<State>
    private let count = Atomic<Int>(0)
    /// The redactor for the secrets of the current catalog and of recent former catalogs. Requests in flight may
    /// contain secrets of a former catalog.
    let redactor: CurrentRedactor
    private let learned: LearnedSecrets?
    private let listeners = Lock<[@Sendable () -> Void]>([])

    /// Creates an instance whose current catalog is `serving`.
    ///
    /// - Parameter learned: secrets that become known later, such as access tokens. These secrets stay redacted after a
    ///   reload.
    init(_ serving: ServedCatalog, learned: LearnedSecrets? = nil) {
        state = Lock(State(serving: serving))
        self.learned = learned
        redactor = CurrentRedactor(Redactor(secrets: serving.secrets, learned: learned))
    }

    /// The number of catalog reloads so far. Reading this property requires no lock.
    var generation: Int { count.load(ordering: .acquiring) }

    package var current: ServedCatalog { state.withLock { $0.serving } }

    /// Adds a closure that runs after each catalog reload.
    func whenReplaced(_ notify: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(notify) } }

    /// Replaces the catalog. Later requests use the new catalog.
    func replace(by serving: ServedCatalog) {
        state.withLock { state in
            if serving.secrets != state.serving.secrets {
                state.former = Array(([state.serving.secrets] + state.former).prefix(Self.maxFormer))
                state.serving.secrets = serving.secrets
                // The redactor comes first, because it must know the new secrets before any request can use them.
                redactor.replace(by: Redactor(secrets: state.secrets, learned: learned))
            }
            state.serving = serving
            count.store(count.load(ordering: .relaxed) + 1, ordering: .releasing)
        }
        for notify in listeners.withLock({ $0 }) { notify() }
    }
}

/// A redactor with a replaceable list of secrets.
final class CurrentRedactor: Sendable {
    private let state: Lock<Redactor>

    init(_ redactor: Redactor) { state = Lock(redactor) }

    func redact(_ text: String) -> String { state.withLock { $0 }.redact(text) }

    fileprivate func replace(by redactor: Redactor) { state.withLock { $0 = redactor } }
}
