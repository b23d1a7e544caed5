/// The time limits for a server's replies, and the size limit of unsent commands.
struct RedisLimits {
    /// The time limit for connecting, with the greeting, in milliseconds.
    var connect = 100
    /// The maximum time without a reply, or a large part of one, while replies are awaited, in milliseconds.
    var silence = 50
    /// The time limit for all replies to commands that were sent together, in milliseconds.
    var total = 1000
    /// The maximum size of commands that the socket has not accepted, in bytes.
    var backlog = 16 << 20
}

/// The timeouts of one connection, and the schedule by which it reads replies. All times and durations are in
/// milliseconds.
///
/// The time limit of a batch never restarts, whatever the server sends. It depends only on the begin of
/// `AwaitedReplies.Turn`.
struct ReplyTimeouts: Sendable {
    /// The number of reply bytes that count as progress, like a whole reply. Smaller parts do not extend the wait.
    static let progressSize = 64 << 10
    /// The slowest usable line, in bytes per millisecond. A batch gets extra time for the size of its commands at this
    /// speed.
    static let slowestLine = 64
    /// The number of bytes of a batch's commands that get no extra time.
    static let smallBatch = 16 << 10

    /// A time limit that was exceeded.
    struct Overrun: Equatable {
        let reason: String
        /// Whether replies arrived, but not all of them in time.
        let isOfTotal: Bool
    }

    /// Whether received bytes were not read yet.
    private(set) var isSignalled = false
    private let limits: RedisLimits
    private var begin = 0
    /// The time of the last progress: a reply or a large part of one, or the begin of waiting for replies.
    private var lastProgress = 0
    /// The number of received bytes of replies when a large part last counted as progress.
    private var receivedAtProgress = 0
    /// The number of bytes that had arrived at the server at the last check.
    private(set) var arrived = 0
    private var lastTurn: Int?

    /// Creates the timeouts of a connection that begins now.
    init(_ limits: RedisLimits, at now: Int) {
        self.limits = limits
        begin = now
    }

    // MARK: Events

    /// Records progress: waiting for replies began, a reply arrived, or the socket accepted more bytes.
    mutating func restart(at now: Int) { lastProgress = now }

    /// Records that waiting for replies begins. All bytes that were sent before have arrived at the server.
    mutating func restart(at now: Int, arrived: Int) {
        lastProgress = now
        self.arrived = arrived
    }

    /// Records the number of sent bytes that have arrived at the server. On a slow line, more arrived bytes are
    /// progress.
    mutating func note(arrived count: Int, at now: Int) {
        if count > arrived { (arrived, lastProgress) = (count, now) }
    }

    /// Records the number of received bytes of replies, without push messages and attributes.
    mutating func note(received count: Int, at now: Int) {
        if count - receivedAtProgress >= Self.progressSize { (receivedAtProgress, lastProgress) = (count, now) }
    }

    /// Records that bytes can be read.
    mutating func signal() { isSignalled = true }

    /// Returns whether the connection should read now. Without a signal it polls for awaited replies once a
    /// millisecond, because a loop that always has jobs never waits for sockets.
    mutating func takesTurn(at now: Int, isAwaiting: Bool) -> Bool {
        guard isSignalled || (isAwaiting && now != lastTurn) else { return false }
        (isSignalled, lastTurn) = (false, now)
        return true
    }

    // MARK: Limits

    /// Returns the remaining time for connecting, with the greeting.
    func patienceToConnect(at now: Int) -> Int { max(0, begin + limits.connect - now) }

    /// Returns the remaining time after the last reply in which the loop waits only briefly. Short waits enforce the
    /// time limit of a batch that another thread sends during the wait.
    func alertness(at now: Int) -> Int { max(0, endOfSilence - now) }

    /// Returns the time until a limit must be checked.
    ///
    /// - Parameter wait: the time at which the first batch with a waiting caller was sent; nil if no caller waits.
    func patience(_ turn: AwaitedReplies.Turn, wait: Int?, at now: Int) -> Int {
        let endOfWait = wait.map { $0 + limits.total } ?? .max
        return max(0, min(endOfSilence, end(of: turn), endOfWait) - now)
    }

    /// Returns the exceeded limit; nil if there is none.
    func overrun(_ turn: AwaitedReplies.Turn, at now: Int) -> Overrun? {
        let end = end(of: turn)
        guard min(endOfSilence, end) <= now else { return nil }
        return endOfSilence <= end
            ? Overrun(reason: "no reply within \(limits.silence) ms", isOfTotal: false)
            : Overrun(reason: "not all replies within \(end - turn.begin) ms", isOfTotal: true)
    }

    /// Returns the time before which a batch must have been sent for its caller to be late.
    ///
    /// - Parameter isBusy: whether many earlier bytes may still be on their way to the server.
    func startOfLateWaits(isBusy: Bool, at now: Int) -> Int { now - (isBusy ? limits.silence : limits.total) }

    private var endOfSilence: Int { lastProgress + limits.silence }

    /// Returns the end of a turn. It depends only on values that are known when the batch is sent.
    private func end(of turn: AwaitedReplies.Turn) -> Int {
        turn.begin + limits.total + max(0, turn.size - Self.smallBatch) / Self.slowestLine
    }
}
