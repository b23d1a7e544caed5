/// The body of an HTTP answer during the transfer. It enforces the size limit of the body and the memory limit for all
/// bodies.
struct HTTPBody {
    enum Outcome {
        case taken
        /// Too few bytes are free in the memory budget. The transfer must pause and later deliver the rejected bytes
        /// again.
        case noRoom(Need)
        case refused(HTTPError)
    }

    /// The memory that a paused body needs before the transfer continues, in bytes.
    struct Need {
        /// The total number of received bytes, including the rejected bytes, which libcurl delivers again.
        let minimum: Int
        /// The number of bytes that the body should reserve. If the answer has a `Content-Length`, this is the
        /// announced size. Otherwise, it is `minimum` for a small body (see `smallPart`), and the maximum body size for
        /// a larger body.
        let desired: Int
    }

    /// A body of unknown length is small while it has at most `budget.limit / smallPart` bytes.
    // A small body reserves only the bytes that arrived. A larger body reserves its maximum size, because otherwise
    // several large bodies could wait for each other's bytes.
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

    /// Sets the body size that `Content-Length` announces. Returns an error if this size exceeds a limit.
    mutating func expect(_ count: Int) -> HTTPError? {
        guard count <= limit else { return .tooLarge(limit: limit) }
        guard count <= budget.limit else { return HTTPError(.exceedsBodyBudget(limit: budget.limit)) }
        announced = count
        bytes.reserveCapacity(min(count, 1 << 20))
        return nil
    }

    /// Appends received bytes to the body.
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

    /// Releases the reserved memory that the complete body does not use.
    func end() { lease?.shrink(to: bytes.count) }
}
