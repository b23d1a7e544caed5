import JSON
import Protocol
import System

/// Reads messages on its own thread until the input ends. Before the process exits, it ensures that every request is
/// answered.
// Exclusivity: only the reader's thread uses it, and no callee calls back into it.
final class ServerLoop {
    struct Limits {
        /// The maximum size of a message, in bytes.
        var maxMessage = 16 << 20
        /// The maximum number of requests in flight. While there are this many, no further input is read.
        var maxTasks = 8192
        /// The maximum time for requests in flight after the end of the input.
        var drain = Duration.seconds(30)

        /// Whether the client kills this process about two seconds after it closes the input. All remaining work,
        /// including the final save, must then finish within 1.5 seconds.
        var isHurried = false

        /// The time for the final save that a hurried exit adds to the time for requests in flight.
        static let save = Duration.milliseconds(250)

        /// The maximum time for requests in flight and the final save together. Writing the last replies has a limit
        /// of its own, `maxStall`.
        var end: Duration { isHurried ? flight + Self.save : drain }

        /// The maximum time until the requests in flight are cancelled after the end of the input.
        var flight: Duration { isHurried ? min(drain, .seconds(1.25)) : drain }

        /// Returns the time without any written byte after which the server stops writing the last replies.
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
        /// The time that is left for the final save.
        let left: Duration
    }

    /// The number of bytes of collected replies above which they are sent, 256 KiB.
    private static let batchSize = 1 << 18

    /// The maximum number of bytes in one read. The reader starts all requests of one read before it waits for any of
    /// them.
    private static let readSize = 1 << 18

    /// The longest wait before the loop notices a termination signal after the end of the input.
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

    /// Creates a loop for one session that reads from `input` and sends replies to `writer`.
    ///
    /// - Parameter watchdog: called for each step of the exit with the time that the step may take.
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

    /// Serves requests until the input ends, the client sends `exit` or a signal arrives. Returns when all replies are
    /// written or the client has stopped reading.
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
        // `isHurried` is updated here, because it may depend on the last message, which need not end with a newline.
        limits.isHurried = dispatcher.isClientHurried
        sendReplies()
        drain()
        // A client that terminates the process allows no time for anything but the last replies and the final save.
        let isTerminated = limits.isHurried && writer.isEnding
        let start = isTerminated ? ContinuousClock.now : end
        let maxStall = isTerminated ? Limits.save / 2 : limits.maxStall(after: ContinuousClock.now - end)
        watchdog(maxStall)
        let unread = writer.flush(maxStall: maxStall) { watchdog(maxStall) }
        let total = isTerminated ? Limits.save : limits.end
        return Ending(unread: unread, left: max(.zero, total - (ContinuousClock.now - start)))
    }

    /// Blocks while more than `maxQueue` bytes of replies are unwritten, because the client reads slowly.
    private func waitForReader() {
        wait(progress: { writer.written }, until: { writer.waitForRoom(upTo: $0) })
    }

    /// Blocks while `maxTasks` or more requests are in flight.
    private func waitForTasks() {
        let pending = session.pending
        wait(progress: { pending.finished }, until: { pending.waitForRoom(below: limits.maxTasks, upTo: $0) })
    }

    /// Blocks until `hasRoom` returns true. A blocked reader cannot notice the end of the input, so this function
    /// checks for it. The session ends if the input has ended and `progress` has not changed for `maxStall()`.
    private func wait(progress: () -> Int, until hasRoom: (Duration) -> Bool) {
        guard !interruption.isRaised else { return }
        var before = progress()
        while !hasRoom(limits.maxStall()), !interruption.isRaised {
            let now = progress()
            if now == before, InputDescriptor.hasEnded(input) { return interruption.raise() }
            before = now
        }
    }

    /// Reads more input. Returns the number of bytes that were read; nil at the end of the input.
    private func readMore() -> Int? {
        let space = decoder.space()
        while true {
            let count = read(input, space.baseAddress, min(space.count, Self.readSize))
            if count > 0 { return count }
            if count == 0 || interruption.isRaised { return nil }
            guard errno == EINTR || errno == EAGAIN else { return nil }
            // The parent process may have made the descriptor non-blocking. A read would then return at once instead of
            // waiting.
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
                .invalidRequest, "the message is too large: the limit is \(limit) bytes (--max-message)")
            Reply.error(error, id: .null, to: &replies)
        case .malformed(let reason):
            Reply.error(RPCError(.invalidRequest, "the message cannot be read: \(reason)"), id: .null, to: &replies)
        }
        sink.framing.close(&replies, from: start)
        // One read may contain many small requests with large replies.
        if replies.bytes.count > Self.batchSize, !sendReplies() { waitForReader() }
    }

    /// The receiver of replies that are sent later. The decoder determines the framing before it returns the first
    /// message, and never changes it.
    private var sink: StreamSink {
        if let knownSink { return knownSink }
        let sink = StreamSink(writer: writer, framing: decoder.framing ?? .newline)
        knownSink = sink
        return sink
    }

    /// Sends the collected replies. Returns whether all bytes were written directly, so that none are queued.
    @discardableResult
    private func sendReplies() -> Bool {
        guard !replies.bytes.isEmpty else { return false }
        defer { replies.removeAll() }
        return replies.bytes.withUnsafeBytes { writer.send($0) }
    }

    private func drain() {
        if writer.isClosed {
            // No reply can be delivered any more, but requests that change stored data are still completed.
            session.pending.cancelAll(
                with: RPCError(.requestCancelled, "the request was cancelled: the client no longer reads replies"),
                sparesChanges: true)
        }
        session.endNotifications()
        guard !waitForReplies() else { return }
        let limit = "\(limits.flight / .seconds(1)) s"
        let reason =
            if limits.isHurried {
                writer.isEnding ? "was terminated" : "waited \(limit) after the end of the input"
            } else {
                "waited \(limit) (--drain)"
            }
        session.pending.cancelAll(
            with: RPCError(.requestCancelled, "the request was not finished: the server is exiting and \(reason)"))
    }

    /// Blocks until all requests are answered. Returns whether they are.
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

/// Sends messages to the client, with the framing that the session uses.
final class StreamSink: MessageSink {
    /// The initial capacity of a reply's buffer, in bytes. Most replies fit, so their buffers need not grow.
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
    /// Completes the frame of the message that starts at `start`. Does nothing if no message was written.
    func close(_ writer: inout JSONWriter, from start: Int) {
        let count = writer.bytes.count - start
        guard count > 0 else { return }
        switch self {
        case .newline: writer.append("\n")
        case .contentLength: writer.insert("Content-Length: \(count)\r\n\r\n", at: start)
        }
    }
}
