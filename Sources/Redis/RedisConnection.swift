import HTTP
import System

/// One connection to a Redis server: its socket, the batches that wait for replies, and their time limits.
///
/// All calls are made on the event loop. The connection only reports events; its owner (`RedisLink`) reacts to them.
final class RedisConnection {
    typealias Completion = RedisLink.Completion

    enum Event {
        /// The server accepted the first commands (the greeting). The connection can now send other commands.
        case ready(RedisGreeting.Facts)
        /// All replies to a batch of commands have arrived. The batch's callback is called next.
        case answered
        /// One reply from the server was received and handled.
        case replied
        /// The connection can no longer be used. The owner closes it.
        ///
        /// - Parameter opensBreaker: whether the owner must pause before it reconnects, because an immediate attempt
        ///   would be useless.
        case lost(reason: String, opensBreaker: Bool)
    }

    private enum Stage {
        case connecting, greeting, ready, closed
    }

    /// The maximum number of reads in a row, so that the event loop can also serve its other connections.
    private static let maxReadsPerTurn = 64
    /// The interval at which a connection attempt is checked, in milliseconds.
    private static let connectPollInterval = 1
    /// The number of sent but unacknowledged bytes above which the connection is considered busy.
    private static let busyThreshold = 16 << 10
    /// The interval at which a busy connection is checked for acknowledged bytes, in milliseconds.
    private static let arrivalPollInterval = 10

    private let socket: CurlSocket
    private let greeting: RedisGreeting
    private let limits: RedisLimits
    private let line: DirectLine
    private let greeted: Completion
    private let report: (Event) -> Void
    private var stage = Stage.connecting
    private var decoder = RESPDecoder()
    private var awaited = AwaitedReplies()
    private var clock: ReplyTimeouts
    /// Whether a call has timed out, and the connection has remained busy since.
    private var isCrowded = false

    /// Creates a connection over a socket that is still connecting.
    ///
    /// - Parameters:
    ///   - greeted: called with the replies to the first commands (the greeting). The owner passes these replies to
    ///     `welcome`.
    ///   - report: called with each event of the connection.
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
        clock = ReplyTimeouts(limits, at: Monotonic.milliseconds)
    }

    /// Whether the connection accepts commands now.
    var isReady: Bool { stage == .ready }

    /// Whether the server has answered all commands that were sent.
    var isIdle: Bool { awaited.isEmpty && socket.backlog == 0 }

    /// Sends commands over a connection that is ready.
    ///
    /// - Parameter waits: whether a caller waits for the replies. If so, the call fails immediately while the
    ///   connection is too slow: an earlier call has timed out, and sent bytes are still not acknowledged.
    func send(_ commands: [RedisCommand], waits: Bool, _ then: @escaping Completion) {
        if waits, isCrowded, isBusy { return then(.failure(.late)) }
        send(commands, isWaited: waits, then)
    }

    /// Reports the connection as lost if the `DirectLine` has sent only a part of a batch of commands.
    func loseBrokenLine() {
        if line.takeBreak() { lose("the server does not read commands") }
    }

    /// Checks the replies to the first commands (the greeting). If the server accepted these commands, opens the
    /// connection for other commands.
    func welcome(_ replies: [RESPValue]) {
        do throws(RedisGreeting.Refusal) {
            let facts = try greeting.facts(replies)
            stage = .ready
            report(.ready(facts))
        } catch {
            lose(error.reason, opensBreaker: true)
        }
    }

    /// Closes the connection.
    ///
    /// - Returns: the callbacks of the unanswered batches. The caller must call them.
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
    /// The socket that the event loop must poll for input, and whether it must also poll for output. Nil if the
    /// connection is not open.
    var interest: (socket: Int32, isWriting: Bool)? {
        guard stage == .greeting || stage == .ready else { return nil }
        return (socket.descriptor, socket.backlog > 0)
    }

    /// The maximum time in milliseconds until the event loop must call `turn`, even without an event on the socket.
    var maxWait: Milliseconds? {
        let now = Monotonic.milliseconds
        switch stage {
        case .connecting: return Self.connectPollInterval
        case .greeting: return clock.isSignalled ? 0 : clock.maxWaitToConnect(at: now)
        case .ready where clock.isSignalled: return 0
        // An idle connection still waits for events, so that it notices a loss before the next command.
        case .ready:
            guard let turn = awaited.turn else { return isAlert(at: now) ? clock.alertness(at: now) : 3_600_000 }
            let maxWait = clock.maxWait(turn, wait: awaited.firstWait, at: now)
            return min(maxWait, isBusy ? Self.arrivalPollInterval : .max)
        case .closed: return nil
        }
    }

    /// Opens the `DirectLine` just before the event loop waits, so that other threads can send commands during the
    /// wait. The line stays closed if the connection uses TLS, is not ready, is slow, or was idle for some time.
    func openLine() {
        guard stage == .ready, !isCrowded, !isBusy, socket.backlog == 0 else { return }
        // The event loop registers batches of the direct line only when its wait ends. The wait must therefore end
        // before the time limit of such a batch.
        if isAlert(at: Monotonic.milliseconds) { line.open(socket.descriptor) }
    }

    /// Closes the `DirectLine`, and awaits the replies to the batches that other threads have sent through it.
    func closeLine() {
        for batch in line.close() {
            if awaited.isEmpty { clock.restart(at: batch.begin, arrived: socket.sent) }
            socket.noteSent(batch.bytes)
            awaited.append(
                batch.commands, size: batch.size, at: batch.begin, isWaited: batch.isWaited, batch.then)
        }
    }

    /// Records that the connection's socket is ready for reading or writing.
    func signal() { clock.signal() }

    /// Does the work that is possible without blocking: connects, sends, reads, and enforces the time limits.
    func turn() {
        if stage == .connecting { return connect() }
        let now = Monotonic.milliseconds
        guard clock.takesTurn(at: now, isAwaiting: !awaited.isEmpty) else { return }
        if socket.backlog > 0, flush() { clock.restart(at: now) }
        if isBusy { clock.note(arrived: socket.arrived, at: now) }
        if !isBusy { isCrowded = false }
        if isOpen { read() }
        // Limits are enforced even if more bytes are available, because a server that never stops sending must not
        // delay them.
        if isOpen { giveUp(now) }
        if isOpen { failLate(now) }
    }

    private var isOpen: Bool { stage != .closed }

    /// Whether replies are awaited, and more than `busyThreshold` sent bytes are not acknowledged yet.
    // In that case, newly acknowledged bytes count as progress, like replies.
    private var isBusy: Bool { !awaited.isEmpty && socket.sent - clock.arrived > Self.busyThreshold }

    /// Whether other threads can send commands while the event loop waits. If so, the wait must be short: the event
    /// loop registers these commands only after the wait.
    // Always false with TLS, because libcurl encrypts on one thread only.
    private func isAlert(at now: Int) -> Bool {
        !socket.isSecure && (!awaited.isEmpty || clock.alertness(at: now) > 0)
    }

    /// Fails the calls that have waited too long for replies, and drops later replies to their commands. The connection
    /// stays open.
    // If the connection is busy, further calls fail immediately until the sent bytes have reached the server.
    private func failLate(_ now: Int) {
        guard stage == .ready else { return }
        let late = awaited.takeLate(since: clock.startOfLateWaits(isBusy: isBusy, at: now))
        isCrowded = isCrowded || !late.isEmpty
        for then in late { then(.failure(.late)) }
    }

    private func giveUp(_ now: Int) {
        let isLate = clock.maxWaitToConnect(at: now) == 0
        switch stage {
        case .connecting where isLate: lose("no connection within \(limits.connect) ms")
        case .greeting where isLate: lose("no reply to the greeting within \(limits.connect) ms")
        case .ready:
            guard let turn = awaited.turn, let overrun = clock.overrun(turn, at: now) else { return }
            // An immediate new connection could make callers wait for the same time again.
            lose(overrun.reason, opensBreaker: overrun.isOfTotal)
        default: break
        }
    }
}

// MARK: Connecting and closing

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
        // If the server refused the greeting, the refusal is the cause of the loss and is reported instead of `reason`.
        let refusal = stage == .greeting ? greeting.refusal(awaited.firstReplies)?.reason : nil
        let shown = refusal ?? reason
        report(.lost(reason: shown, opensBreaker: opensBreaker || shown != reason))
    }

    /// Returns libcurl's error message without text from the server's certificate.
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

    /// Sends queued bytes. Returns whether the socket accepted at least one byte.
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

    /// Reads received bytes and calls the callbacks of the batches whose replies are complete.
    // A callback may send more commands, and a failed send may close the connection.
    private func read() {
        for _ in 0..<Self.maxReadsPerTurn {
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
            // A server that sends invalid data without a request would send it again after a reconnect.
            lose(
                stage == .greeting
                    ? RedisGreeting.notRedis
                    : "the server sent an invalid Redis reply: \(error.message); check that the address belongs to a"
                        + " Redis server",
                opensBreaker: awaited.isEmpty)
        }
    }

    private func take(_ reply: RESPValue) {
        if case .error(let error) = reply, ["MOVED", "ASK", "CROSSSLOT"].contains(error.code) {
            return lose(RedisGreeting.cluster, opensBreaker: true)
        }
        guard !awaited.isEmpty else {
            return lose("the server sent a reply that was not requested; check its address", opensBreaker: true)
        }
        let now = Monotonic.milliseconds
        clock.restart(at: now)
        if let then = awaited.take(reply, memory: decoder.lastMemory, at: now) {
            // Only the replies to a complete batch show that the server works.
            if stage == .ready { report(.answered) }
            then()
        }
        report(.replied)
    }
}
