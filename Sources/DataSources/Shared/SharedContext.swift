import Redis
import System

/// The objects shared by the reader, the writer and the remover of the shared cache level.
final class SharedContext: Sendable {
    let server: any RedisServerContract
    /// The queue of commands that are sent in the background, while no caller waits.
    let outbox: SharedOutbox
    let table: SharedNameTable
    /// Whether this process may write to the shared level (mode `readwrite`).
    let isWritable: Bool
    let clock: any ClockContract
    let counters = SharedCounters()
    let condition: SharedHealthMonitor
    /// The removals and invalidations by this process that the Redis server has not confirmed.
    let unconfirmed = UnconfirmedRemovals()

    init(
        _ settings: SharedSettings, server: any RedisServerContract, condition: SharedHealthMonitor,
        resources: SharedResources, clock: any ClockContract
    ) {
        self.server = server
        outbox = SharedOutbox(server)
        self.condition = condition
        table = SharedNameTable(
            names: SharedNames(secret: settings.secret, namespace: settings.namespace), resources: resources)
        isWritable = settings.mode == .readwrite
        self.clock = clock
    }
}
