import System

/// The secrets that the process learns while it runs, such as tokens from commands and token endpoints.
///
/// All redactors of the process use one instance. It stores the 256 most recently used secrets.
public final class LearnedSecrets: Sendable {
    private struct State {
        /// The stored secrets. The dictionary value is the number of the secret's last use: a higher number means a
        /// more recent use.
        var secrets: [String: Int] = [:]
        var uses = 0
        var search: SecretSearch?
    }

    private let maxCount: Int
    private let state = Lock(State())

    /// Creates an empty collection.
    ///
    /// - Parameter maxCount: the maximum number of stored secrets.
    package init(maxCount: Int = 256) { self.maxCount = maxCount }

    /// Adds a secret that redactors must remove. Call this function before each use of the secret. If the collection is
    /// full, the least recently used secret is dropped.
    public func add(_ secret: String) {
        guard Redactor.isSearchable(secret) else { return }
        state.withLock { state in
            state.uses += 1
            guard state.secrets.updateValue(state.uses, forKey: secret) == nil else { return }
            let latest = state.secrets.sorted { $0.value > $1.value }
            for old in latest.dropFirst(maxCount) { state.secrets[old.key] = nil }
            state.search = Redactor.search(for: latest.prefix(maxCount).map { $0.key })
        }
    }

    /// The matcher that finds the stored secrets in a text; nil if no secrets are stored.
    var search: SecretSearch? { state.withLock { $0.search } }
}
