/// How long a connection is waited for, and replies over it; and when it is its turn to look for them. All moments and
/// spans are in milliseconds.
struct ReplyClock: Sendable {
    /// How many bytes are as good as a reply: one that comes in crumbs would be waited for without end.
    static let sign = 64 << 10

    /// Whether something has come that was not read yet.
    private(set) var isSignalled = false
    private let limits: RedisLimits
    private var begin = 0
    /// When a reply last came, or much of one, or when replies began to be awaited.
    private var lastSign = 0
    /// When much of a reply last came.
    private var lastBulk = 0
    /// How many bytes have come since then.
    private var signed = 0
    /// How many bytes have arrived at the server, as far as one has looked, and since when so many.
    private(set) var arrived = 0
    private var lastArrival = 0
    private var lastTurn: Int?

    /// For a connection that is begun at a moment.
    init(_ limits: RedisLimits, at now: Int) {
        self.limits = limits
        begin = now
    }

    // MARK: What happens

    /// Replies are awaited where none were before, one came, or something went out that could not before.
    mutating func restart(at now: Int) { lastSign = now }

    /// Replies are awaited where none were before; what was sent until then has arrived.
    mutating func restart(at now: Int, arrived: Int) {
        lastSign = now
        self.arrived = arrived
    }

    /// So many bytes of all that was sent have arrived at the server: on a slow line that takes its time.
    mutating func note(arrived count: Int, at now: Int) {
        if count > arrived { (arrived, lastArrival, lastSign) = (count, now, now) }
    }

    /// So many bytes came.
    mutating func take(_ bytes: Int, at now: Int) {
        signed += bytes
        if signed >= Self.sign { (lastSign, lastBulk, signed) = (now, now, 0) }
    }

    /// Something has come.
    mutating func signal() { isSignalled = true }

    /// Whether it is its turn to read, which it then has had. Where nothing is said to have come, it looks by itself
    /// for what is awaited, since a loop that has no end of jobs waits for no socket: but not twice in a moment.
    mutating func takesTurn(at now: Int, isAwaiting: Bool) -> Bool {
        guard isSignalled || (isAwaiting && now != lastTurn) else { return false }
        (isSignalled, lastTurn) = (false, now)
        return true
    }

    // MARK: What is waited for

    /// For how long the connection, with its greeting, is waited for still.
    func patienceToConnect(at now: Int) -> Int { max(0, begin + limits.connect - now) }

    /// For how long the next replies are waited for still.
    ///
    /// - Parameter sent: when that was sent which they belong to.
    func patience(since sent: Int, at now: Int) -> Int { max(0, min(endOfSilence, end(of: sent)) - now) }

    /// Which limit ran out, in words; nil where none did.
    func overdue(since sent: Int, at now: Int) -> String? {
        guard patience(since: sent, at: now) == 0 else { return nil }
        return endOfSilence <= end(of: sent)
            ? "no reply within \(limits.silence) ms" : "not all replies within \(limits.batch) ms"
    }

    private var endOfSilence: Int { lastSign + limits.silence }

    /// Replies that come one by one, slowly, would be waited for without end.
    private func end(of sent: Int) -> Int { max(sent, lastBulk, lastArrival) + limits.batch }
}
