import DataSources
import Model
import Synchronization
import System

/// What a catalog yields, as a whole.
package struct Serving: Sendable {
    /// The methods, with the repositories and clients behind them.
    package let router: Router
    /// The same for clients of the Model Context Protocol.
    var mcp = MCPRouter(methods: [:])
    /// Every text that must not be seen.
    package internal(set) var secrets: [String] = []
    /// The resources by their names: where what is watched is found again.
    package internal(set) var resources: [String: ResourceContext] = [:]
}

/// What is served now. It can be put in the place of another while requests run: those go on with what they began with,
/// and what comes later is answered by the new one.
package final class CurrentServing: Sendable {
    private struct State {
        var serving: Serving
        /// The secrets of those before it, the latest first; none of them twice in a row.
        var former: [[String]] = []

        /// Those that are looked for, each once.
        var secrets: [String] {
            var seen: Set<String> = []
            return ([serving.secrets] + former).joined().filter { seen.insert($0).inserted }
        }
    }

    /// The secrets of how many servings before this one are looked for. What runs knows those of the serving with which
    /// it began, and that is hardly an older one; for ever, each token that a file has held would slow down all that is
    /// logged.
    private static let mostFormer = 8

    private let state: Lock<State>
    private let count = Atomic<Int>(0)
    /// Takes the secrets of what is served, and was served lately, out of a text: what runs may still say an old one.
    let redactor: CurrentRedactor
    private let learned: LearnedSecrets?
    private let listeners = Lock<[@Sendable () -> Void]>([])

    /// - Parameter learned: the secrets that become known later, whatever is served.
    init(_ serving: Serving, learned: LearnedSecrets? = nil) {
        state = Lock(State(serving: serving))
        self.learned = learned
        redactor = CurrentRedactor(Redactor(secrets: serving.secrets, learned: learned))
    }

    /// Tells one serving from those before and after it. It costs no lock.
    var generation: Int { count.load(ordering: .acquiring) }

    package var current: Serving { state.withLock { $0.serving } }

    /// Calls `tell` whenever another serving has taken the place of this one.
    func whenReplaced(_ tell: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(tell) } }

    /// Puts another in its place.
    func replace(by serving: Serving) {
        state.withLock { state in
            if serving.secrets != state.serving.secrets {
                state.former = Array(([state.serving.secrets] + state.former).prefix(Self.mostFormer))
                state.serving.secrets = serving.secrets
                // Before anybody can have the new one: it may say nothing that the redactor does not know.
                redactor.replace(by: Redactor(secrets: state.secrets, learned: learned))
            }
            state.serving = serving
            count.store(count.load(ordering: .relaxed) + 1, ordering: .releasing)
        }
        for tell in listeners.withLock({ $0 }) { tell() }
    }
}

/// What takes the secrets out of texts now.
final class CurrentRedactor: Sendable {
    private let state: Lock<Redactor>

    init(_ redactor: Redactor) { state = Lock(redactor) }

    func redact(_ text: String) -> String { state.withLock { $0 }.redact(text) }

    fileprivate func replace(by redactor: Redactor) { state.withLock { $0 = redactor } }
}
