/// The state of the shared cache level (Redis) at the start of a fetch. When a fetched value is stored, this state is
/// compared with the current state. A value that was removed or invalidated during the fetch is not stored.
public struct FetchTicket: Equatable, Sendable {
    /// The resource's generation numbers at the start of the fetch. Every removal or invalidation changes one of the
    /// numbers.
    package let generations: SharedGenerations
    /// The Redis server's time at the start of the fetch, in microseconds since 1970.
    package let beganAt: Int64

    package init(generations: SharedGenerations, beganAt: Int64) {
        self.generations = generations
        self.beganAt = beganAt
    }
}
