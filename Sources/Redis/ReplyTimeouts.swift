import System

/// The time limits for a Redis server's replies, and the size limit for unsent commands.
struct RedisLimits {
    /// The time limit for connecting, including the replies to the first commands, in milliseconds.
    var connect = 100
    /// The maximum time without progress while replies are awaited, in milliseconds. A complete reply or a large part
    /// of a reply counts as progress.
    var silence = 50
    /// The time limit for all replies to one batch of commands, in milliseconds.
    var total = 1000
    /// The maximum size of the commands that the socket has not accepted yet, in bytes.
    var backlog = 16 << 20
}

/// The timeouts of one connection to a Redis server. They also determine when the connection reads replies. All times
/// and durations are in milliseconds.
// A slow server cannot extend a batch's time limit, because the limit depends only on `begin` and `size` of the batch's
// `AwaitedReplies.Turn`.
struct ReplyTimeouts: Sendable {
    /// The number of reply bytes that count as progress. Fewer bytes count only if they complete a reply.
    static let progressSize = 64 << 10
    /// The lowest expected transfer speed, in bytes per millisecond. The timeout of a large batch includes its transfer
    /// time at this speed.
    static let slowestLine = 64
    /// The size in bytes above which a batch of commands gets a longer timeout.
    static let smallBatch = 16 << 10

    /// A time limit that the server has exceeded.
    struct Overrun: Equatable {
        let reason: String
        /// Whether the server exceeded the time limit for all replies (`RedisLimits.total`). If false, the server
        /// exceeded the time limit for a pause between replies (`RedisLimits.silence`).
        let isOfTotal: Bool
    }

    /// Whether the socket has received bytes that the connection has not read yet.
    private(set) var isSignalled = false
    private let limits: RedisLimits
    private var begin = 0
    /// The time of the last progress, in milliseconds. Progress means that replies arrive, sent bytes are accepted, or
    /// a wait for replies begins.
    private var lastProgress = 0
    /// The total number of reply bytes received when `note(received:at:)` last recorded progress.
    private var receivedAtProgress = 0
    /// The number of sent bytes that had reached the server at the last check.
    private(set) var arrived = 0
    private var lastTurn: Int?

    /// Creates the timeouts of a connection attempt that begins at `now`.
    init(_ limits: RedisLimits, at now: Int) {
        self.limits = limits
        begin = now
    }

    // MARK: Events

    /// Records progress: the wait for replies began, a reply arrived, or the socket accepted more bytes.
    mutating func restart(at now: Int) { lastProgress = now }

    /// Records that a wait for replies begins.
    ///
    /// - Parameter arrived: the number of sent bytes that have reached the server.
    mutating func restart(at now: Int, arrived: Int) {
        lastProgress = now
        self.arrived = arrived
    }

    /// Records the number of sent bytes that have reached the server. A higher number than before counts as progress.
    mutating func note(arrived count: Int, at now: Int) {
        if count > arrived { (arrived, lastProgress) = (count, now) }
    }

    /// Records the total number of reply bytes received. Push messages and attributes are not counted.
    mutating func note(received count: Int, at now: Int) {
        if count - receivedAtProgress >= Self.progressSize { (receivedAtProgress, lastProgress) = (count, now) }
    }

    /// Records that the socket has bytes to read.
    mutating func signal() { isSignalled = true }

    /// Returns whether the connection should read from its socket now: after a socket event, and once per millisecond
    /// while the connection awaits replies.
    // A busy event loop never waits for socket events.
    mutating func takesTurn(at now: Int, isAwaiting: Bool) -> Bool {
        guard isSignalled || (isAwaiting && now != lastTurn) else { return false }
        (isSignalled, lastTurn) = (false, now)
        return true
    }

    // MARK: Limits

    /// Returns the remaining time for connecting, including the replies to the first commands, in milliseconds.
    func maxWaitToConnect(at now: Int) -> Milliseconds { max(0, begin + limits.connect - now) }

    /// Returns how long other threads may still send commands, in milliseconds. During this time, the event loop must
    /// keep its waits short.
    // Short waits let the loop enforce the time limit of a batch that another thread sends meanwhile.
    func alertness(at now: Int) -> Milliseconds { max(0, endOfSilence - now) }

    /// Returns the time until the server exceeds the next time limit, in milliseconds.
    func maxWait(_ turn: AwaitedReplies.Turn, wait: Milliseconds?, at now: Int) -> Milliseconds {
        let endOfWait = wait.map { $0 + limits.total } ?? .max
        return max(0, min(endOfSilence, end(of: turn), endOfWait) - now)
    }

    /// Returns the time limit that the server has exceeded; nil if the server has exceeded no limit.
    func overrun(_ turn: AwaitedReplies.Turn, at now: Int) -> Overrun? {
        let end = end(of: turn)
        guard min(endOfSilence, end) <= now else { return nil }
        return endOfSilence <= end
            ? Overrun(reason: "no reply within \(limits.silence) ms", isOfTotal: false)
            : Overrun(
                reason: "the Redis server did not send all replies within \(end - turn.begin) ms", isOfTotal: true)
    }

    /// Returns the start of the longest allowed wait for replies, in milliseconds. Batches that were sent at this time
    /// or earlier are late.
    func startOfLateWaits(isBusy: Bool, at now: Int) -> Int { now - (isBusy ? limits.silence : limits.total) }

    private var endOfSilence: Int { lastProgress + limits.silence }

    /// Returns the deadline for the replies to a batch, in milliseconds.
    // The limit depends only on the batch's size and on the time at which the server could start to answer.
    private func end(of turn: AwaitedReplies.Turn) -> Int {
        turn.begin + limits.total + max(0, turn.size - Self.smallBatch) / Self.slowestLine
    }
}
