import Redis
import System

/// Finds out which rights the Redis user lacks. docs/shared.md lists the required rights.
///
/// Larder tests all rights when the Redis server first denies a command. It repeats the test every second until no
/// right is missing.
// Redis 7.0 does not name the right that a script lacks, so all rights are tested.
final class SharedRights: Sendable {
    private struct Trial {
        /// The right that `command` needs, in the syntax of a Redis ACL.
        let right: String
        let command: RedisCommand
    }

    private let server: any RedisServerContract
    private let condition: SharedHealthMonitor
    private let trials: [Trial]
    /// The pattern that matches all Redis keys of the namespace, in the syntax of a Redis ACL.
    private let keys: String
    private let timer: any TimerContract
    /// Whether a test of the Redis user's rights is running or scheduled.
    private let isTrying = Lock(false)
    /// The pause between two tests of the Redis user's rights, in milliseconds.
    private static let pause = 1000

    /// Prepares to test the rights of a Redis user.
    ///
    /// - Parameter writes: whether the process writes to the Redis server. Writing requires the rights to run scripts.
    init(
        _ server: any RedisServerContract, _ condition: SharedHealthMonitor, names: SharedNames, writes: Bool,
        timer: any TimerContract
    ) {
        self.server = server
        self.condition = condition
        self.timer = timer
        keys = names.pattern
        let key = names.nothing
        let reading = Trial(right: "mget", command: RedisCommand("MGET", key))
        let writing = Trial(right: "eval", command: .eval(SharedScript.tryRights, keys: [key], []))
        trials = writes ? [reading, writing] : [reading]
        condition.whenRightsAreMissing { [weak self] in self?.start() }
    }

    /// Tests all rights of the Redis user once, and reports the missing rights.
    func probe() async {
        if let replies = try? await server.send(trials.map(\.command)) { note(replies) }
    }

    private func start() {
        let isNew = isTrying.withLock { isTrying in
            defer { isTrying = true }
            return !isTrying
        }
        if isNew { tryAll() }
    }

    private func tryAll() {
        server.post(trials.map(\.command)) { [weak self] result in
            guard let self else { return }
            // Without a reply the missing rights are unknown, so the test is repeated after the pause.
            let isMissing = if case .success(let replies) = result { note(replies) } else { true }
            timer.run(after: Self.pause) { [weak self] in
                guard let self else { return }
                if isMissing { tryAll() } else { isTrying.withLock { $0 = false } }
            }
        }
    }

    /// Reports the missing rights that the Redis server's replies reveal. Returns true if a right is missing.
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
        return !missing.isEmpty
    }
}
