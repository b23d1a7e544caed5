/// The state of the shared level at the start of a fetch. The shared level rejects the fetched values if they were
/// removed or invalidated during the fetch.
public struct FetchTicket: Equatable, Sendable {
    /// The resource's generations at the start of the fetch. A removal or an invalidation changes them.
    package let generations: SharedGenerations
    /// The server time of the shared level at the start of the fetch, in microseconds since 1970.
    package let beganAt: Int64

    package init(generations: SharedGenerations, beganAt: Int64) {
        self.generations = generations
        self.beganAt = beganAt
    }
}
