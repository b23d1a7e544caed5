import System

/// The secrets that become known while a process runs: tokens that commands and token endpoints give.
///
/// There is one for the process, so that each redactor takes out each of them, whatever API it came from. The 256 that
/// were used last are looked for: who uses a secret adds it again, so that none in use is pushed out by many others.
public final class LearnedSecrets: Sendable {
    private struct State {
        /// The number of the last use of each.
        var secrets: [String: Int] = [:]
        var uses = 0
        var search: SecretSearch?
    }

    private let most: Int
    private let state = Lock(State())

    /// Nothing is known.
    ///
    /// - Parameter most: how many are looked for.
    package init(most: Int = 256) { self.most = most }

    /// Looks for a secret from now on. It is to be called before each use of the secret; for one that is known it costs
    /// no new search.
    public func add(_ secret: String) {
        guard Redactor.looksFor(secret) else { return }
        state.withLock { state in
            state.uses += 1
            guard state.secrets.updateValue(state.uses, forKey: secret) == nil else { return }
            let latest = state.secrets.sorted { $0.value > $1.value }
            for old in latest.dropFirst(most) { state.secrets[old.key] = nil }
            state.search = Redactor.search(for: latest.prefix(most).map { $0.key })
        }
    }

    /// Finds them; nil while there are none.
    var search: SecretSearch? { state.withLock { $0.search } }
}
