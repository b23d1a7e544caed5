import System

/// The secrets that the process learns while it runs, such as tokens from commands and token endpoints.
///
/// The whole process uses one instance, so that every redactor removes the tokens of all APIs. The instance stores the
/// 256 most recently used secrets. Callers add a secret again before each use.
public final class LearnedSecrets: Sendable {
    private struct State {
        /// The stored secrets, each with the number of its last use. A later use has a higher number.
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

    /// Adds a secret that redactors must remove. Adding a known secret is cheap, so callers add a secret again before
    /// each use.
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

    /// A search for all stored secrets; nil if there are none.
    var search: SecretSearch? { state.withLock { $0.search } }
}
