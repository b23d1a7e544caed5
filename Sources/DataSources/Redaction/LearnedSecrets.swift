import System

/// The secrets that become known while a process runs: tokens that commands and token endpoints give.
///
/// There is one for the process, so that each redactor takes out each of them, whatever API it came from. The latest
/// 256 are looked for: a token that was renewed so often since then is used by nobody any more.
public final class LearnedSecrets: Sendable {
    private struct State {
        var secrets: [String] = []
        var search: SecretSearch?
    }

    private static let most = 256

    private let state = Lock(State())

    /// Nothing is known.
    public init() {}

    /// Looks for a secret from now on. It is to be called before the secret is used.
    public func add(_ secret: String) {
        guard Redactor.looksFor(secret) else { return }
        state.withLock { state in
            guard !state.secrets.contains(secret) else { return }
            state.secrets = Array((state.secrets + [secret]).suffix(Self.most))
            state.search = Redactor.search(for: state.secrets)
        }
    }

    /// Finds them; nil while there are none.
    var search: SecretSearch? { state.withLock { $0.search } }
}
