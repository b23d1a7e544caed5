/// Limits of the time for a server's replies, and of the bytes that may wait for it.
struct RedisLimits {
    /// For the connection with the greeting, in milliseconds.
    var connect = 100
    /// Without a reply, or a large part of one, while replies are awaited, in milliseconds.
    var silence = 50
    /// For all replies to commands that were sent together, in milliseconds.
    var total = 1000
    /// For commands that the socket does not take yet, in bytes.
    var backlog = 16 << 20
}

/// The time limits of one connection, and when it is its turn to look for replies. All moments and durations are in
/// milliseconds.
///
/// No limit that bounds a batch starts again, whatever the server sends: `AwaitedReplies.Turn` alone says when it
/// began.
struct ReplyClock: Sendable {
    /// The number of bytes of a reply that count as much as a whole reply. Smaller parts do not extend the wait.
    static let sign = 64 << 10
    /// The slowest line that is used, in bytes per millisecond: a batch has this much longer for its commands.
    static let slowestLine = 64
    /// The bytes of a batch's commands that get no time of their own.
    static let smallBatch = 16 << 10

    /// A limit that ran out.
    struct Overrun: Equatable {
        let reason: String
        /// Whether the replies came, and took too long.
        let isOfTotal: Bool
    }

    /// Whether bytes have come that were not read yet.
    private(set) var isSignalled = false
    private let limits: RedisLimits
    private var begin = 0
    /// When a reply last came, or a large part of one, or when replies began to be awaited.
    private var lastSign = 0
    /// The received bytes of replies at the last sign of this kind.
    private var signed = 0
    /// The bytes that had arrived at the server at the last check.
    private(set) var arrived = 0
    private var lastTurn: Int?

    /// The clock of a connection that begins at a moment.
    init(_ limits: RedisLimits, at now: Int) {
        self.limits = limits
        begin = now
    }

    // MARK: Events

    /// Notes that replies are awaited and none were before, that one came, or that the socket took bytes that it had
    /// not taken before.
    mutating func restart(at now: Int) { lastSign = now }

    /// Notes that replies are awaited and none were before; what was sent until then has arrived.
    mutating func restart(at now: Int, arrived: Int) {
        lastSign = now
        self.arrived = arrived
    }

    /// Notes how many of the bytes that were sent have arrived at the server: on a slow line that takes its time.
    mutating func note(arrived count: Int, at now: Int) {
        if count > arrived { (arrived, lastSign) = (count, now) }
    }

    /// Notes how many bytes of replies have come over the connection, without pushes and attributes.
    mutating func note(received count: Int, at now: Int) {
        if count - signed >= Self.sign { (signed, lastSign) = (count, now) }
    }

    /// Notes that bytes have come.
    mutating func signal() { isSignalled = true }

    /// Returns whether the connection reads now. Without a signal it looks for awaited replies itself, once a
    /// millisecond: a loop that always has jobs waits for no socket.
    mutating func takesTurn(at now: Int, isAwaiting: Bool) -> Bool {
        guard isSignalled || (isAwaiting && now != lastTurn) else { return false }
        (isSignalled, lastTurn) = (false, now)
        return true
    }

    // MARK: Limits

    /// For how long the connection, with its greeting, is still waited for.
    func patienceToConnect(at now: Int) -> Int { max(0, begin + limits.connect - now) }

    /// For how long after the last reply the loop still waits briefly, so that the time limit of a batch that is sent
    /// during the wait holds.
    func alertness(at now: Int) -> Int { max(0, endOfSilence - now) }

    /// For how long the connection may be left alone.
    ///
    /// - Parameter wait: when the first batch was sent for which a caller still waits; nil if there is none.
    func patience(_ turn: AwaitedReplies.Turn, wait: Int?, at now: Int) -> Int {
        let endOfWait = wait.map { $0 + limits.total } ?? .max
        return max(0, min(endOfSilence, end(of: turn), endOfWait) - now)
    }

    /// The limit that ran out; nil if none did.
    func overrun(_ turn: AwaitedReplies.Turn, at now: Int) -> Overrun? {
        let end = end(of: turn)
        guard min(endOfSilence, end) <= now else { return nil }
        return endOfSilence <= end
            ? Overrun(reason: "no reply within \(limits.silence) ms", isOfTotal: false)
            : Overrun(reason: "not all replies within \(end - turn.begin) ms", isOfTotal: true)
    }

    /// The latest moment at which a caller was sent that has waited long enough.
    ///
    /// - Parameter isBusy: whether its commands may stand behind many bytes that are on their way to the server.
    func startOfLateWaits(isBusy: Bool, at now: Int) -> Int { now - (isBusy ? limits.silence : limits.total) }

    private var endOfSilence: Int { lastSign + limits.silence }

    /// The end of a turn. The size of the commands is known when they are sent, so that nothing can extend it.
    private func end(of turn: AwaitedReplies.Turn) -> Int {
        turn.begin + limits.total + max(0, turn.size - Self.smallBatch) / Self.slowestLine
    }
}
