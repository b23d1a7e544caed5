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
    private let state: Lock<Serving>
    private let count = Atomic<Int>(0)
    /// Takes the secrets of all that was ever served out of a text: what runs may still say an old one.
    let redactor: CurrentRedactor
    private let learned: LearnedSecrets?

    /// - Parameter learned: the secrets that become known later, whatever is served.
    init(_ serving: Serving, learned: LearnedSecrets? = nil) {
        state = Lock(serving)
        self.learned = learned
        redactor = CurrentRedactor(Redactor(secrets: serving.secrets, learned: learned))
    }

    /// Tells one serving from those before and after it. It costs no lock.
    var generation: Int { count.load(ordering: .acquiring) }

    var current: Serving { state.withLock { $0 } }

    /// Puts another in its place.
    func replace(by serving: Serving) {
        state.withLock { state in
            var serving = serving
            serving.secrets += state.secrets.filter { !serving.secrets.contains($0) }
            // First: nothing may be said by the new one that the old redactor does not know.
            if serving.secrets != state.secrets {
                redactor.replace(by: Redactor(secrets: serving.secrets, learned: learned))
            }
            state = serving
            count.store(count.load(ordering: .relaxed) + 1, ordering: .releasing)
        }
    }
}

/// What takes the secrets out of texts now.
final class CurrentRedactor: Sendable {
    private let state: Lock<Redactor>

    init(_ redactor: Redactor) { state = Lock(redactor) }

    func redact(_ text: String) -> String { state.withLock { $0 }.redact(text) }

    fileprivate func replace(by redactor: Redactor) { state.withLock { $0 = redactor } }
}
