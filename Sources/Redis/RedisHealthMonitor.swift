import Synchronization
import System

/// The health of a Redis server and of the connection to it. Any thread can read the health.
final class RedisHealthMonitor: Sendable {
    /// Whether the connection is ready to send a command immediately.
    let isReady = Atomic<Bool>(false)
    private let state = Lock(RedisHealth())
    private let clock: any ClockContract
    private let onChange: @Sendable (RedisHealth) -> Void

    /// Creates the health record of a server that was not used yet.
    ///
    /// - Parameter onChange: called when `RedisHealth.reason` changes.
    init(clock: any ClockContract, onChange: @escaping @Sendable (RedisHealth) -> Void) {
        self.clock = clock
        self.onChange = onChange
    }

    var health: RedisHealth { state.withLock { $0 } }

    /// Records a successful connection, and the version and the role that the server reported.
    func reached(_ facts: RedisGreeting.Facts) {
        change { health in
            (health.reason, health.since, health.isBackingOff) = (nil, nil, false)
            (health.wasReached, health.version, health.isReplica) = (true, facts.version, facts.isReplica)
        }
    }

    /// Records a lost or failed connection.
    ///
    /// - Parameter isBackingOff: whether Larder pauses before the next connection attempt.
    func failed(_ reason: String, isBackingOff: Bool) {
        let now = clock.now()
        change { health in
            if health.reason == nil { health.since = now }
            (health.reason, health.isBackingOff) = (reason, isBackingOff)
            health.failures += 1
        }
    }

    private func change(_ change: (inout RedisHealth) -> Void) {
        let (before, after) = state.withLock { health in
            let before = health
            change(&health)
            return (before, health)
        }
        if before.reason != after.reason { onChange(after) }
    }
}
