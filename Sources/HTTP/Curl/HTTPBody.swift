/// The body of an answer as it arrives, within what one body may have and what all of them may.
struct HTTPBody {
    enum Outcome {
        case taken
        /// The same bytes are to be given again when there is room.
        case noRoom(Need)
        case refused(HTTPError)
    }

    /// How many bytes in all a body must have room for, and how many it should, so as not to come to a stop again.
    struct Need {
        let least: Int
        let most: Int
    }

    /// A body whose size nobody has told takes what it has, up to this part of the budget; one that is larger takes as
    /// much as it may come to, so that many of them do not come to a stop together, each with a part of it.
    private static let smallPart = 512

    private(set) var bytes: [UInt8] = []
    private(set) var lease: BodyLease?
    private let budget: BodyBudget
    private let limit: Int
    private var announced: Int?

    /// An empty body.
    ///
    /// - Parameter limit: how many bytes it may have.
    init(limit: Int, of budget: BodyBudget) {
        self.limit = limit
        self.budget = budget
    }

    /// Notes how many bytes are to come. Returns why they are too many.
    mutating func expect(_ count: Int) -> HTTPError? {
        guard count <= limit else { return .tooLarge(limit: limit) }
        guard count <= budget.limit else { return HTTPError(.tooLargeForAll(limit: budget.limit)) }
        announced = max(0, count)
        bytes.reserveCapacity(min(count, 1 << 20))
        return nil
    }

    /// Takes a part of it.
    mutating func take(_ part: UnsafeRawBufferPointer) -> Outcome {
        guard part.count <= limit - bytes.count else { return .refused(.tooLarge(limit: limit)) }
        let count = bytes.count + part.count
        guard count <= budget.limit else { return .refused(HTTPError(.tooLargeForAll(limit: budget.limit))) }
        let most = max(count, announced ?? (count <= budget.limit / Self.smallPart ? 0 : min(limit, budget.limit)))
        let lease = lease ?? BodyLease(budget)
        self.lease = lease
        guard count <= lease.size || lease.grow(to: most) else { return .noRoom(Need(least: count, most: most)) }
        bytes.append(contentsOf: part)
        return .taken
    }

    /// Nothing more will come.
    func end() { lease?.shrink(to: bytes.count) }
}
