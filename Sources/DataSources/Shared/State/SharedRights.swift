import System

/// Which rights the user lacks as whom Larder asks the server, of those that the ACL in docs/shared.md gives.
///
/// Nobody looks before something was refused for want of one. From then on all are tried at once, and with each look
/// for changes until none is missing: one that is seldom needed would else be told seldom, and Redis 7.0 does not say
/// which one a script lacked.
final class SharedRights: Sendable {
    private struct Trial {
        /// The right that it takes, in the words of an ACL.
        let right: String
        let command: RedisCommand
    }

    private let server: any RedisServerContract
    private let condition: SharedCondition
    private let trials: [Trial]
    /// What must be allowed besides, as an ACL says it.
    private let keys: String
    private let isSuspected = Lock(false)

    /// - Parameter writes: whether scripts are needed too.
    init(_ server: any RedisServerContract, _ condition: SharedCondition, names: SharedNames, writes: Bool) {
        self.server = server
        self.condition = condition
        keys = names.pattern
        let key = names.nothing
        let reading = [
            Trial(right: "mget", command: RedisCommand("MGET", key)),
            Trial(right: "xread", command: RedisCommand("XREAD", "COUNT", "1", "STREAMS", key, "0-0")),
            Trial(right: "xrange", command: RedisCommand("XRANGE", key, "-", "+", "COUNT", "1")),
            Trial(right: "xrevrange", command: RedisCommand("XREVRANGE", key, "+", "-", "COUNT", "1")),
        ]
        let writing = [Trial(right: "eval", command: .eval(SharedScript.tryRights, keys: [key], []))]
        trials = reading + (writes ? writing : [])
        condition.whenRightsAreMissing { [weak self] in self?.suspect() }
    }

    /// Tries them as long as one is missing.
    func lookAgain() {
        if isSuspected.withLock({ $0 }) { post(isFirst: false) }
    }

    /// Tries them now.
    func probe() async {
        if let replies = try? await server.send(trials.map(\.command)) { note(replies) }
    }

    private func suspect() {
        let isNew = isSuspected.withLock { isSuspected in
            defer { isSuspected = true }
            return !isSuspected
        }
        if isNew { post(isFirst: true) }
    }

    /// - Parameter isFirst: whether it is looked for the first time: where that finds nothing, the next refusal is not
    ///   to begin another look at once.
    private func post(isFirst: Bool) {
        server.post(trials.map(\.command)) { [weak self] result in
            guard let self, case .success(let replies) = result else { return }
            let isMissing = note(replies)
            if !isFirst { isSuspected.withLock { $0 = isMissing } }
        }
    }

    /// Returns whether one is missing.
    @discardableResult
    private func note(_ replies: [RESPValue]) -> Bool {
        var missing: [String] = []
        for (trial, reply) in zip(trials, replies) {
            if reply.isLackOfKeys {
                if !missing.contains(keys) { missing.append(keys) }
            } else if reply.isLackOfRight {
                missing.append("+\(trial.right)")
            } else if case .array(let names) = reply, trial.right == "eval" {
                missing += SharedScript.commands.filter { names.contains(.text(Array($0.utf8))) }.map { "+\($0)" }
            }
        }
        condition.note(missing: missing)
        if !missing.isEmpty { isSuspected.withLock { $0 = true } }
        return !missing.isEmpty
    }
}
