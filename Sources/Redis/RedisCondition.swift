import Synchronization
import System

/// How a server is, as any thread may ask.
final class RedisCondition: Sendable {
    /// Whether a command would be sent at once.
    let isReady = Atomic<Bool>(false)
    private let state = Lock(RedisHealth())
    private let clock: any ClockContract
    private let onChange: @Sendable (RedisHealth) -> Void

    /// - Parameter onChange: called when there is a reason why it is not used, another one, or none any more.
    init(clock: any ClockContract, onChange: @escaping @Sendable (RedisHealth) -> Void) {
        self.clock = clock
        self.onChange = onChange
    }

    var health: RedisHealth { state.withLock { $0 } }

    /// It was reached, and says this of itself.
    func reached(_ facts: RedisGreeting.Facts) {
        change { health in
            (health.reason, health.since, health.isLeftAlone) = (nil, nil, false)
            (health.wasReached, health.version, health.isReplica) = (true, facts.version, facts.isReplica)
        }
    }

    /// It was lost, or not reached.
    ///
    /// - Parameter isLeftAlone: whether it is tried again after a pause only.
    func failed(_ reason: String, isLeftAlone: Bool) {
        let now = clock.now()
        change { health in
            if health.reason == nil { health.since = now }
            (health.reason, health.isLeftAlone) = (reason, isLeftAlone)
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
