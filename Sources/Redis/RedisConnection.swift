import HTTP
import System

/// One connection to a Redis server: its socket, the batches whose replies are awaited, and their time limits.
///
/// It is used on the loop alone. It reports what happens to it; its owner decides what follows.
final class RedisConnection {
    typealias Completion = RedisLink.Completion

    enum Event {
        /// The server accepted the greeting.
        case ready(RedisGreeting.Facts)
        /// All replies to a batch have come. Its completion is called next.
        case answered
        /// A reply was handled.
        case replied
        /// The connection cannot be used any more. The owner closes it.
        ///
        /// - Parameter opensBreaker: whether another attempt at once is useless.
        case lost(reason: String, opensBreaker: Bool)
    }

    private enum Stage {
        case connecting, greeting, ready, closed
    }

    /// The maximum number of reads in one turn. Other connections on the loop have their turns after that.
    private static let readsOfATurn = 64
    /// The interval at which a connection attempt is polled, in milliseconds.
    private static let lookEvery = 1
    /// The number of unacknowledged bytes above which the line counts as busy.
    private static let much = 16 << 10
    /// The interval at which a busy line is checked for bytes that have arrived, in milliseconds.
    private static let lookForArrivalEvery = 10

    private let socket: CurlSocket
    private let greeting: RedisGreeting
    private let limits: RedisLimits
    /// Sends for other threads while the loop waits.
    private let line: DirectLine
    private let greeted: Completion
    private let report: (Event) -> Void
    private var stage = Stage.connecting
    private var decoder = RESPDecoder()
    private var awaited = AwaitedReplies()
    private var clock: ReplyClock
    /// Whether a caller has waited too long behind many bytes that are on their way to the server.
    private var isCrowded = false

    /// A connection that is being made over a socket.
    ///
    /// - Parameters:
    ///   - greeted: called with the replies to the greeting. The owner passes them to `welcome`.
    ///   - report: called with each event.
    init(
        _ socket: CurlSocket, greeting: RedisGreeting, limits: RedisLimits, line: DirectLine,
        greeted: @escaping Completion, report: @escaping (Event) -> Void
    ) {
        self.socket = socket
        self.greeting = greeting
        self.limits = limits
        self.line = line
        self.greeted = greeted
        self.report = report
        clock = ReplyClock(limits, at: Monotonic.milliseconds)
    }

    /// Whether commands may be sent.
    var isReady: Bool { stage == .ready }

    /// Whether all that was sent is answered.
    var isIdle: Bool { awaited.isEmpty && socket.backlog == 0 }

    /// Sends commands over a connection that is ready.
    ///
    /// - Parameter waits: whether a caller does nothing else meanwhile. It does not wait for a line that is slow.
    func ask(_ commands: [RedisCommand], waits: Bool, _ then: @escaping Completion) {
        if waits, isCrowded, isMuchUnderWay { return then(.failure(.late)) }
        send(commands, isWaited: waits, then)
    }

    /// Reports the loss of the connection if a command was sent only in part on the direct line.
    func loseBrokenLine() {
        if line.takeBreak() { lose("the server takes no commands") }
    }

    /// Opens the connection for commands, unless the server has refused the greeting.
    func welcome(_ replies: [RESPValue]) {
        do throws(RedisGreeting.Refusal) {
            let facts = try greeting.facts(replies)
            stage = .ready
            report(.ready(facts))
        } catch {
            lose(error.reason, opensBreaker: true)
        }
    }

    /// Ends the use of the connection.
    ///
    /// - Returns: the completions of the batches that are not answered, which the caller calls.
    func close() -> [Completion] {
        closeLine()
        line.settle()
        _ = line.takeBreak()
        stage = .closed
        defer { awaited = AwaitedReplies() }
        return awaited.completions
    }
}

// MARK: Turns on the loop

extension RedisConnection {
    /// The socket whose events are waited for; nil while there is none.
    var interest: (socket: Int32, isWriting: Bool)? {
        guard stage == .greeting || stage == .ready else { return nil }
        return (socket.descriptor, socket.backlog > 0)
    }

    /// The time until the next turn without an event, in milliseconds.
    var patience: Int? {
        let now = Monotonic.milliseconds
        switch stage {
        case .connecting: return Self.lookEvery
        case .greeting: return clock.isSignalled ? 0 : clock.patienceToConnect(at: now)
        case .ready where clock.isSignalled: return 0
        // The end of an idle connection is noticed when it comes, not with the next command.
        case .ready:
            guard let turn = awaited.turn else { return isAlert(at: now) ? clock.alertness(at: now) : 3_600_000 }
            let patience = clock.patience(turn, wait: awaited.firstWait, at: now)
            return min(patience, isMuchUnderWay ? Self.lookForArrivalEvery : .max)
        case .closed: return nil
        }
    }

    /// Opens the direct line if commands may be sent during the wait that begins.
    func openLine() {
        guard stage == .ready, !isCrowded, !isMuchUnderWay, socket.backlog == 0 else { return }
        // A batch on the line is seen when the wait ends: that must not be later than its time limit.
        if isAlert(at: Monotonic.milliseconds) { line.open(socket.descriptor) }
    }

    /// Closes the direct line and awaits the replies to what was sent on it.
    func closeLine() {
        for batch in line.close() {
            if awaited.isEmpty { clock.restart(at: batch.begin, arrived: socket.sent) }
            socket.noteSent(batch.bytes)
            awaited.append(
                batch.commands, size: batch.size, at: batch.begin, isWaited: batch.isWaited, batch.then)
        }
    }

    /// Notes that the socket has an event.
    func signal() { clock.signal() }

    /// Does what can be done now: connects, sends, reads, and enforces the time limits.
    func turn() {
        if stage == .connecting { return connect() }
        let now = Monotonic.milliseconds
        guard clock.takesTurn(at: now, isAwaiting: !awaited.isEmpty) else { return }
        if socket.backlog > 0, flush() { clock.restart(at: now) }
        if isMuchUnderWay { clock.note(arrived: socket.arrived, at: now) }
        if !isMuchUnderWay { isCrowded = false }
        if isOpen { read() }
        // Also while more comes: a server that never stops sending must not put off the end of a limit.
        if isOpen { giveUp(now) }
        if isOpen { failLate(now) }
    }

    private var isOpen: Bool { stage != .closed }

    /// Whether there may be many bytes on the way to the server: then those that have arrived count as a sign, too.
    private var isMuchUnderWay: Bool { !awaited.isEmpty && socket.sent - clock.arrived > Self.much }

    /// Whether the loop waits for at most `RedisLimits.silence`, so that commands may be sent during the wait. libcurl
    /// encrypts on one thread alone.
    private func isAlert(at now: Int) -> Bool {
        !socket.isSecure && (!awaited.isEmpty || clock.alertness(at: now) > 0)
    }

    /// Fails the callers that have waited long enough. The connection lives; their replies are dropped. On a slow line
    /// no other caller waits until what is on its way has arrived.
    private func failLate(_ now: Int) {
        guard stage == .ready else { return }
        let late = awaited.takeLate(since: clock.startOfLateWaits(isBusy: isMuchUnderWay, at: now))
        isCrowded = isCrowded || !late.isEmpty
        for then in late { then(.failure(.late)) }
    }

    private func giveUp(_ now: Int) {
        let isLate = clock.patienceToConnect(at: now) == 0
        switch stage {
        case .connecting where isLate: lose("no connection within \(limits.connect) ms")
        case .greeting where isLate: lose("no reply to the greeting within \(limits.connect) ms")
        case .ready:
            guard let turn = awaited.turn, let overrun = clock.overrun(turn, at: now) else { return }
            // A second wait of that length would be one too many.
            lose(overrun.reason, opensBreaker: overrun.isOfTotal)
        default: break
        }
    }
}

// MARK: Beginning and end

extension RedisConnection {
    private func connect() {
        switch socket.connect() {
        case .connected:
            stage = .greeting
            send(greeting.commands, greeted)
        case .failed(let reason): lose(shown(reason))
        case .underWay: giveUp(Monotonic.milliseconds)
        }
    }

    private func lose(_ reason: String, opensBreaker: Bool = false) {
        guard isOpen else { return }
        // If the server refused the greeting, its reason is reported instead of how the connection ended.
        let refusal = stage == .greeting ? greeting.refusal(awaited.firstReplies)?.reason : nil
        let shown = refusal ?? reason
        report(.lost(reason: shown, opensBreaker: opensBreaker || shown != reason))
    }

    /// The error of libcurl for the connection, without text from the server's certificate.
    private func shown(_ reason: String) -> String {
        guard case .host(let host, _, _) = greeting.url.place else { return reason }
        return ConnectionReason.text(reason, host: host)
    }
}

// MARK: Commands and replies

extension RedisConnection {
    private func send(_ commands: [RedisCommand], isWaited: Bool = false, _ then: @escaping Completion) {
        guard !commands.isEmpty else { return then(.success([])) }
        let size = commands.reduce(0) { $0 + $1.size }
        guard socket.backlog + size <= limits.backlog else { return then(.failure(.noRoom)) }
        let now = Monotonic.milliseconds
        if awaited.isEmpty { clock.restart(at: now, arrived: socket.sent) }
        awaited.append(commands.count, size: size, at: now, isWaited: isWaited, then)
        let isBlocked = socket.backlog > 0
        line.settle()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for command in commands { command.encode(into: &bytes) }
        socket.append(bytes)
        if !isBlocked { flush() }
    }

    /// Returns whether the socket took bytes that it had not taken before.
    @discardableResult
    private func flush() -> Bool {
        switch socket.flush() {
        case .all: return true
        case .blocked(let tookSome): return tookSome
        case .failed(let reason):
            lose(shown(reason))
            return false
        }
    }

    /// Reads what has come, and completes the batches whose replies are complete. A completion may send more commands,
    /// by which the connection may be lost.
    private func read() {
        for _ in 0..<Self.readsOfATurn {
            switch socket.receive() {
            case .nothing: return
            case .ended(let reason): return lose(shown(reason))
            case .bytes(let bytes, let mayHaveMore):
                decoder.append(bytes)
                takeReplies()
                guard mayHaveMore, isOpen else { return }
            }
        }
        clock.signal()
    }

    private func takeReplies() {
        do throws(RESPFault) {
            while isOpen, let reply = try decoder.next() { take(reply) }
            if isOpen { clock.note(received: decoder.received, at: Monotonic.milliseconds) }
        } catch {
            // A server that sends so much unasked would do so again at once.
            lose(
                stage == .greeting
                    ? "what answers there is no Redis server"
                    : "what came is no reply of a Redis server: \(error.message)",
                opensBreaker: awaited.isEmpty)
        }
    }

    private func take(_ reply: RESPValue) {
        if case .error(let error) = reply, ["MOVED", "ASK", "CROSSSLOT"].contains(error.code) {
            return lose(RedisGreeting.cluster, opensBreaker: true)
        }
        guard !awaited.isEmpty else { return lose("a reply came that nothing was asked for", opensBreaker: true) }
        let now = Monotonic.milliseconds
        clock.restart(at: now)
        if let then = awaited.take(reply, memory: decoder.lastMemory, at: now) {
            // A part of what was asked together tells nothing of the rest.
            if stage == .ready { report(.answered) }
            then()
        }
        report(.replied)
    }
}
