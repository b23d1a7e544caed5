/// The state of the shared level when a fetch began. The shared level rejects the fetched entries if they were removed
/// or invalidated after that.
public struct FetchTicket: Equatable, Sendable {
    /// The resource's generations when the fetch began.
    package let generations: SharedGenerations
    /// The time of the shared level's server when the fetch began, in microseconds since 1970.
    package let beganAt: Int64

    package init(generations: SharedGenerations, beganAt: Int64) {
        self.generations = generations
        self.beganAt = beganAt
    }
}
