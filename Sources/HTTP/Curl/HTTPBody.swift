/// The body of an answer while it is received. It respects the limit for one body and the budget for all bodies.
struct HTTPBody {
    enum Outcome {
        case taken
        /// There is no room; the transfer must pause and deliver the same bytes again later.
        case noRoom(Need)
        case refused(HTTPError)
    }

    /// The room that a paused body needs, in bytes.
    struct Need {
        /// The total size that allows the body to continue.
        let minimum: Int
        /// The total size with which the body will not pause again.
        let desired: Int
    }

    /// The divisor of the budget up to which a body of unknown size reserves only the bytes that arrived. A larger one
    /// reserves its maximum size, so that several such bodies do not block each other half-way.
    private static let smallPart = 512

    private(set) var bytes: [UInt8] = []
    private(set) var lease: BodyLease?
    private let budget: BodyBudget
    private let limit: Int
    private var announced: Int?

    /// Creates an empty body.
    ///
    /// - Parameter limit: the maximum size of the body, in bytes.
    init(limit: Int, of budget: BodyBudget) {
        self.limit = limit
        self.budget = budget
    }

    /// Sets the announced size of the body. Returns an error if it exceeds a limit.
    mutating func expect(_ count: Int) -> HTTPError? {
        guard count <= limit else { return .tooLarge(limit: limit) }
        guard count <= budget.limit else { return HTTPError(.exceedsBodyBudget(limit: budget.limit)) }
        announced = max(0, count)
        bytes.reserveCapacity(min(count, 1 << 20))
        return nil
    }

    /// Appends received bytes.
    mutating func take(_ part: UnsafeRawBufferPointer) -> Outcome {
        guard part.count <= limit - bytes.count else { return .refused(.tooLarge(limit: limit)) }
        let count = bytes.count + part.count
        guard count <= budget.limit else { return .refused(HTTPError(.exceedsBodyBudget(limit: budget.limit))) }
        let desired = max(count, announced ?? (count <= budget.limit / Self.smallPart ? 0 : min(limit, budget.limit)))
        let lease = lease ?? BodyLease(budget)
        self.lease = lease
        guard count <= lease.size || lease.grow(to: desired) else {
            return .noRoom(Need(minimum: count, desired: desired))
        }
        bytes.append(contentsOf: part)
        return .taken
    }

    /// Releases the room that the complete body does not need.
    func end() { lease?.shrink(to: bytes.count) }
}
