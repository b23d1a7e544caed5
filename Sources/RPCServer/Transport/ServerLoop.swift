import JSON
import Protocol
import System

/// Reads messages on its own thread until the stream ends, and sees to it that every request is answered before the
/// end.
// Exclusivity: only the reader's thread uses it, and what it passes by reference never calls back into it.
final class ServerLoop {
    struct Limits {
        /// How large a message may be, in bytes.
        var maxMessage = 16 << 20
        /// How many requests may have their work under way; the reader then waits.
        var maxTasks = 8192
        /// How many seconds the requests in flight have when the input has ended.
        var drain = 30.0

        /// Whether the client kills this process about two seconds after it closed the input. Then the remaining work,
        /// saving included, has a second and a half.
        var isHurried = false

        /// How many seconds there are for what is in flight, and then for what is to be saved.
        var end: Double { isHurried ? min(drain, 1.5) : drain }

        /// How many of them what is in flight may take.
        var flight: Double { isHurried ? min(drain, 1.25) : drain }

        /// How many seconds the client may take to read on, at the end, so many seconds after it began.
        func patience(after elapsed: Double = 0) -> Double { isHurried ? max(1.5 - elapsed, 0.25) : max(drain, 1) }
    }

    /// How a session came to its end.
    struct Ending {
        /// How many bytes of replies nobody has read.
        let unread: Int
        /// How many seconds are left of `drain`.
        let left: Double
    }

    /// Replies at hand are sent together when they come to this many bytes.
    private static let batchSize = 1 << 18

    /// How much is read at once: a file gives as much as is asked for, and all of it is begun before the reader waits.
    private static let readSize = 1 << 18

    private let input: Int32
    private let writer: ReplyWriter
    private let session: Session
    private let dispatcher: Dispatcher
    private let interruption: Interruption
    @exclusivity(unchecked) private var limits: Limits
    private let watchdog: (Double) -> Void
    private let decoder: MessageDecoder
    @exclusivity(unchecked) private var tape = JSONTape()
    @exclusivity(unchecked) private var knownSink: StreamSink?
    @exclusivity(unchecked) private var replies = JSONWriter(capacity: 1 << 16)

    /// A loop between a descriptor and a writer, for one session.
    ///
    /// - Parameter watchdog: told, at the end, how many seconds what comes next may take.
    init(
        input: Int32, writer: ReplyWriter, session: Session, interruption: Interruption, limits: Limits,
        watchdog: @escaping (Double) -> Void = { _ in }
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

    /// Serves until the input ends, `exit` comes, or a signal. Returns when everything is answered and written, or
    /// nobody reads it.
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
        // The first message that tells may be the last one, without a newline.
        limits.isHurried = dispatcher.isClientHurried
        sendReplies()
        drain()
        let patience = limits.patience(after: (ContinuousClock.now - end) / .seconds(1))
        watchdog(patience)
        let unread = writer.flush(patience: patience) { watchdog(patience) }
        return Ending(unread: unread, left: max(0, limits.end - (ContinuousClock.now - end) / .seconds(1)))
    }

    /// Waits while too much has still to be read by the client.
    private func waitForReader() {
        wait(progress: { writer.written }, until: { writer.waitForRoom(seconds: $0) })
    }

    /// Waits while too many requests are under way.
    private func waitForTasks() {
        let pending = session.pending
        wait(progress: { pending.finished }, until: { pending.waitForRoom(below: limits.maxTasks, seconds: $0) })
    }

    /// Waits for room. While it does, it does not see the input's end: so it looks whether that has come. Then, without
    /// any progress for as long as the end may take, this is the end.
    private func wait(progress: () -> Int, until hasRoom: (Double) -> Bool) {
        guard !interruption.isRaised else { return }
        var before = progress()
        while !hasRoom(limits.patience()), !interruption.isRaised {
            let now = progress()
            if now == before, InputDescriptor.hasEnded(input) { return interruption.raise() }
            before = now
        }
    }

    /// The number of bytes read; nil when there will be no more.
    private func readMore() -> Int? {
        let space = decoder.space()
        while true {
            let count = read(input, space.baseAddress, min(space.count, Self.readSize))
            if count > 0 { return count }
            if count == 0 || interruption.isRaised { return nil }
            guard errno == EINTR || errno == EAGAIN else { return nil }
            // The parent may have made the descriptor non-blocking: a read alone would not wait then.
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
            let error = RPCError(.invalidRequest, "the message is larger than \(limit) bytes (--max-message)")
            Reply.error(error, id: .null, to: &replies)
        case .malformed(let reason):
            Reply.error(RPCError(.invalidRequest, "the message cannot be read: \(reason)"), id: .null, to: &replies)
        }
        sink.framing.close(&replies, from: start)
        // One read may hold many small requests with large replies.
        if replies.bytes.count > Self.batchSize, !sendReplies() { waitForReader() }
    }

    /// The sink for replies that come later. The decoder knows the framing before it returns the first frame, and
    /// never changes it.
    private var sink: StreamSink {
        if let knownSink { return knownSink }
        let sink = StreamSink(writer: writer, framing: decoder.framing ?? .newline)
        knownSink = sink
        return sink
    }

    /// Returns whether all that was to be sent is on its way, and nothing of it queued.
    @discardableResult
    private func sendReplies() -> Bool {
        guard !replies.bytes.isEmpty else { return false }
        defer { replies.removeAll() }
        return replies.bytes.withUnsafeBytes { writer.send($0) }
    }

    private func drain() {
        if writer.isClosed {
            // What it told to be changed is changed all the same.
            session.pending.cancelAll(with: RPCError(.requestCancelled, "the client is gone"), sparesChanges: true)
        }
        session.endNotifications()
        guard !session.pending.drain(seconds: limits.flight) else { return }
        let reason = limits.isHurried ? "\(limits.flight) s after the end of the input" : "\(limits.drain) s (--drain)"
        session.pending.cancelAll(
            with: RPCError(.requestCancelled, "the server ends, and \(reason) were not enough"))
    }
}

/// Sends messages to the client in the session's framing.
final class StreamSink: MessageSink {
    /// Most replies fit, so that they need not be moved while they are written.
    private static let usualSize = 1024

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
        var message = JSONWriter(capacity: Self.usualSize)
        body(&message)
        framing.close(&message, from: 0)
        _ = message.bytes.withUnsafeBytes { writer.send($0) }
    }
}

extension Framing {
    /// Frames the message that was written from `start` on; nothing, if there is none.
    func close(_ writer: inout JSONWriter, from start: Int) {
        let count = writer.bytes.count - start
        guard count > 0 else { return }
        switch self {
        case .newline: writer.append("\n")
        case .contentLength: writer.insert("Content-Length: \(count)\r\n\r\n", at: start)
        }
    }
}
