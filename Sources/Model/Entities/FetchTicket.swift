/// The state of a shared level when a fetch began. The fetched entries are stored only if they were not removed or
/// invalidated since then.
public struct FetchTicket: Equatable, Sendable {
    /// The generations of the resource when the fetch began.
    package let generations: SharedGenerations
    /// The server's time when the fetch began, in microseconds since 1970.
    package let beganAt: Int64

    package init(generations: SharedGenerations, beganAt: Int64) {
        self.generations = generations
        self.beganAt = beganAt
    }
}
