/// Says when that is sent anew which the server has refused: after pauses that double, as long as it refuses.
struct RefusalPause: Equatable {
    /// The first pause and the longest, in milliseconds.
    static let pauses = 1000...30_000

    private var last = 0
    private var end = Int.min

    /// Whether the last answer was a refusal.
    var isRefused: Bool { last > 0 }

    /// Whether it is time, at a moment in milliseconds.
    func isOver(at now: Int) -> Bool { now >= end }

    /// It was refused at a moment.
    mutating func refuse(at now: Int) {
        last = max(Self.pauses.lowerBound, min(2 * last, Self.pauses.upperBound))
        end = now + last
    }

    /// It was taken, or may be taken by now.
    mutating func reset() { self = RefusalPause() }
}
