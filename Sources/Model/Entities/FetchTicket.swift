/// The generations and the server time of the shared level when a fetch began. If the entries were removed or
/// invalidated after that, the shared level rejects the fetched values.
public struct FetchTicket: Equatable, Sendable {
    /// The generations of the resource when the fetch began.
    package let generations: SharedGenerations
    /// The server time of the shared level when the fetch began, in microseconds since 1970.
    package let beganAt: Int64

    package init(generations: SharedGenerations, beganAt: Int64) {
        self.generations = generations
        self.beganAt = beganAt
    }
}
