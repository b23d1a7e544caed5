import JSON
import Protocol
import System

/// Reads messages on its own thread until the input ends, and then waits until every request has an answer.
// Exclusivity: only the reader's thread uses the loop, and no called code calls back into it.
final class ServerLoop {
    struct Limits {
        /// The maximum size of a message, in bytes.
        var maxMessage = 16 << 20
        /// The maximum number of requests in flight. At this number, the loop stops reading input.
        var maxTasks = 8192
        /// The configured time limit for requests in flight after the end of the input. If `isHurried` is true, the
        /// actual limit (`flight`) can be shorter.
        var drain = Duration.seconds(30)

        /// Whether the client kills this process about two seconds after the end of the input. All remaining work,
        /// including the final save, must then finish within 1.5 seconds.
        var isHurried = false

        /// The time that is reserved for the final save if `isHurried` is true.
        static let save = Duration.milliseconds(250)

        /// The maximum time for requests in flight and the final save together. The last replies have a separate time
        /// limit, `maxStall`.
        var end: Duration { isHurried ? flight + Self.save : drain }

        /// The time from the end of the input until the loop cancels the requests in flight.
        var flight: Duration { isHurried ? min(drain, .seconds(1.25)) : drain }

        /// Returns the maximum time without progress while the server writes the last replies. After this time, the
        /// server stops writing.
        ///
        /// - Parameter elapsed: the time since the end of the input.
        func maxStall(after elapsed: Duration = .zero) -> Duration {
            isHurried ? max(.seconds(1.5) - elapsed, Self.save) : max(drain, .seconds(1))
        }
    }

    /// The state of the server after the session has ended.
    struct Ending {
        /// The number of reply bytes that the client did not read.
        let unread: Int
        /// The remaining time for the final save.
        let left: Duration
    }

    /// The number of collected reply bytes at which the loop sends the replies.
    private static let batchSize = 1 << 18

    /// The maximum number of bytes in one read.
    private static let readSize = 1 << 18

    /// The interval between checks for a termination signal after the end of the input.
    private static let step = Duration.milliseconds(20)

    private let input: Int32
    private let writer: ReplyWriter
    private let session: Session
    private let dispatcher: Dispatcher
    private let interruption: Interruption
    @exclusivity(unchecked) private var limits: Limits
    private let watchdog: (Duration) -> Void
    private let decoder: MessageDecoder
    @exclusivity(unchecked) private var tape = JSONTape()
    @exclusivity(unchecked) private var knownSink: StreamSink?
    @exclusivity(unchecked) private var replies = JSONWriter(capacity: 1 << 16)

    /// Creates a loop for one session. The loop reads from `input` and sends replies to `writer`.
    ///
    /// - Parameter watchdog: called before each step of the shutdown, with the maximum duration of this step.
    init(
        input: Int32, writer: ReplyWriter, session: Session, interruption: Interruption, limits: Limits,
        watchdog: @escaping (Duration) -> Void = { _ in }
    ) {
        self.input = input
        self.writer = writer
        self.session = session
        dispatcher = Dispatcher(session)
        self.interruption = interruption
        self.limits = limits
        self.watchdog = watchdog
        decoder = MessageDecoder(limit: limits.maxMessage)
    }

    /// Serves requests until the input ends, the client sends `exit` or a signal arrives. Returns when the loop has
    /// written all replies or the client has stopped reading.
    @discardableResult
    func run() -> Ending {
        interruption.attach()
        while !interruption.isRaised, !session.lifecycle.isExiting, let bytes = readMore() {
            decoder.received(bytes)
            while let frame = decoder.next(), !session.lifecycle.isExiting { handle(frame) }
            if !sendReplies(), !writer.hasRoom { waitForReader() }
            if dispatcher.hasBegunWork() { waitForTasks() }
        }
        interruption.detach()
        let end = ContinuousClock.now
        limits.isHurried = dispatcher.isClientHurried
        watchdog(limits.end)
        while !session.lifecycle.isExiting, let frame = decoder.finish() { handle(frame) }
        // The value of `isHurried` may depend on the last message, which may lack a final newline. So the loop updates
        // the value here.
        limits.isHurried = dispatcher.isClientHurried
        sendReplies()
        drain()
        // A client that terminates the process leaves time only for the last replies and the final save.
        let isTerminated = limits.isHurried && writer.isEnding
        let start = isTerminated ? ContinuousClock.now : end
        let maxStall = isTerminated ? Limits.save / 2 : limits.maxStall(after: ContinuousClock.now - end)
        watchdog(maxStall)
        let unread = writer.flush(maxStall: maxStall) { watchdog(maxStall) }
        let total = isTerminated ? Limits.save : limits.end
        return Ending(unread: unread, left: max(.zero, total - (ContinuousClock.now - start)))
    }

    /// Blocks while the client has more than `maxQueue` bytes of replies to read.
    private func waitForReader() {
        wait(progress: { writer.written }, until: { writer.waitForRoom(upTo: $0) })
    }

    /// Blocks while at least `maxTasks` requests are in flight.
    private func waitForTasks() {
        let pending = session.pending
        wait(progress: { pending.finished }, until: { pending.waitForRoom(below: limits.maxTasks, upTo: $0) })
    }

    /// Blocks until `hasRoom` returns true. Stops the session if the input has ended and the value of `progress` has
    /// not changed for `maxStall()`.
    private func wait(progress: () -> Int, until hasRoom: (Duration) -> Bool) {
        guard !interruption.isRaised else { return }
        var before = progress()
        while !hasRoom(limits.maxStall()), !interruption.isRaised {
            let now = progress()
            if now == before, InputDescriptor.hasEnded(input) { return interruption.raise() }
            before = now
        }
    }

    /// Reads more input. Returns the number of received bytes; nil at the end of the input.
    private func readMore() -> Int? {
        let space = decoder.space()
        while true {
            let count = read(input, space.baseAddress, min(space.count, Self.readSize))
            if count > 0 { return count }
            if count == 0 || interruption.isRaised { return nil }
            guard errno == EINTR || errno == EAGAIN else { return nil }
            // The descriptor may be non-blocking because of the parent process. A read would then return at once
            // instead of waiting.
            var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            if errno == EAGAIN { poll(&ready, 1, -1) }
        }
    }

    private func handle(_ frame: Frame) {
        let start = replies.bytes.count
        let sink = sink
        switch frame {
        case .message(let bytes): dispatcher.handle(bytes, tape: &tape, reply: &replies, sink: sink)
        case .tooLong(let limit):
            let error = RPCError(
                .invalidRequest, "the message is larger than \(limit) bytes; send less, or raise --max-message")
            Reply.error(error, id: .null, to: &replies)
        case .malformed(let reason):
            Reply.error(RPCError(.invalidRequest, "cannot read the message: \(reason)"), id: .null, to: &replies)
        }
        sink.framing.close(&replies, from: start)
        // One read may contain many small requests with large replies.
        if replies.bytes.count > Self.batchSize, !sendReplies() { waitForReader() }
    }

    /// The object that sends the replies of asynchronous work to the client.
    private var sink: StreamSink {
        if let knownSink { return knownSink }
        let sink = StreamSink(writer: writer, framing: decoder.framing ?? .newline)
        knownSink = sink
        return sink
    }

    /// Sends the collected replies. Returns true if there were replies and all of them were written.
    @discardableResult
    private func sendReplies() -> Bool {
        guard !replies.bytes.isEmpty else { return false }
        defer { replies.removeAll() }
        return replies.bytes.withUnsafeBytes { writer.send($0) }
    }

    private func drain() {
        if writer.isClosed {
            // The client can receive no more replies, but requests that change stored data still finish.
            session.pending.cancelAll(
                with: RPCError(.requestCancelled, "the request was cancelled: the client no longer reads replies"),
                sparesChanges: true)
        }
        session.endNotifications()
        guard !waitForReplies() else { return }
        let limit = "\(limits.flight / .seconds(1)) s"
        let reason =
            if limits.isHurried {
                writer.isEnding
                    ? "a signal ended the server; restart it and repeat the request"
                    : "the limit is \(limit) after the end of the input; keep the input open until the reply"
            } else {
                "the limit is \(limit) (--drain); raise --drain"
            }
        session.pending.cancelAll(
            with: RPCError(.requestCancelled, "the request was not finished before the server's exit: \(reason)"))
    }

    /// Blocks until all requests have an answer or the time limit is reached. Returns whether all requests have an
    /// answer.
    private func waitForReplies() -> Bool {
        guard limits.isHurried else { return session.pending.drain(within: limits.flight) }
        let end = ContinuousClock.now + limits.flight
        // A termination signal ends the wait, but does not wake this thread.
        while !writer.isEnding, ContinuousClock.now < end {
            if session.pending.drain(within: min(end - ContinuousClock.now, Self.step)) { return true }
        }
        return session.pending.drain(within: .zero)
    }
}

/// Sends messages to the client with the session's framing.
final class StreamSink: MessageSink {
    /// The initial capacity of a reply's buffer, in bytes. Most replies fit.
    private static let defaultCapacity = 1024

    let framing: Framing
    private let writer: ReplyWriter

    init(writer: ReplyWriter, framing: Framing) {
        self.writer = writer
        self.framing = framing
    }

    var hasRoom: Bool { writer.hasRoom }

    func send(message: [UInt8]) {
        send { writer in
            writer = JSONWriter(capacity: message.count + 32)
            writer.append(message)
        }
    }

    func send(_ body: (inout JSONWriter) -> Void) {
        var message = JSONWriter(capacity: Self.defaultCapacity)
        body(&message)
        framing.close(&message, from: 0)
        _ = message.bytes.withUnsafeBytes { writer.send($0) }
    }
}

extension Framing {
    /// Adds the `Content-Length` header or the final newline to the message that begins at the offset `start`. Does
    /// nothing if the message is empty.
    func close(_ writer: inout JSONWriter, from start: Int) {
        let count = writer.bytes.count - start
        guard count > 0 else { return }
        switch self {
        case .newline: writer.append(byte: UInt8(ascii: "\n"))
        case .contentLength: writer.insert("Content-Length: \(count)\r\n\r\n", at: start)
        }
    }
}
