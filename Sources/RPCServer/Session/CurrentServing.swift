import DataSources
import Synchronization
import System

/// What a catalog yields, as a whole.
struct Serving: Sendable {
    /// The methods, with the repositories and clients behind them.
    var router: Router
    /// Every text that must not be seen.
    var secrets: [String] = []
    /// Under what version 0.1 kept a resource's entries; nil where it kept none.
    var formerFingerprint: @Sendable (_ resource: String) -> ResourceKey.Fingerprint? = { _ in nil }
}

/// What is served now. It can be put in the place of another while requests run: those go on with what they began with,
/// and what comes later is answered by the new one.
final class CurrentServing: Sendable {
    private struct State {
        var serving: Serving
        var redactor: Redactor
    }

    private let state: Lock<State>
    private let count = Atomic<Int>(0)

    init(_ serving: Serving) {
        state = Lock(State(serving: serving, redactor: Redactor(secrets: serving.secrets)))
    }

    /// Tells one serving from those before and after it. It costs no lock.
    var generation: Int { count.load(ordering: .acquiring) }

    var current: Serving { state.withLock { $0.serving } }

    /// Takes the secrets of all that was ever served out of a text: what runs may still say an old one.
    var redactor: Redactor { state.withLock { $0.redactor } }

    /// Puts another in its place.
    func replace(by serving: Serving) {
        state.withLock { state in
            var serving = serving
            serving.secrets += state.serving.secrets.filter { !serving.secrets.contains($0) }
            state = State(serving: serving, redactor: Redactor(secrets: serving.secrets))
            count.store(count.load(ordering: .relaxed) + 1, ordering: .releasing)
        }
    }
}
