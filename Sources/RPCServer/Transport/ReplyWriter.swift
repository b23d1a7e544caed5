import DataSources
import System

/// Writes all replies to the original stdout. No other code writes to this descriptor.
///
/// A thread writes its reply directly if the descriptor has room and no other thread is writing. Otherwise the reply
/// waits in a queue for the writer's own thread. Only the writer's thread blocks on a slow client. If the system cannot
/// start this thread, the sending thread blocks instead.
final class ReplyWriter: Sendable {
    private struct State {
        /// The reply bytes to write, in order.
        var queue: [UInt8] = []
        /// The number of bytes that the writer's thread is writing.
        var underWay = 0
        /// Whether a thread is writing to the descriptor. Until this thread has finished, no other thread may write.
        var isWriting = false
        /// Whether only the writer's thread may write the queued bytes.
        var isHandedOver = false
        var hasThread = false
        /// The number of threads that are blocked in `waitForRoom` or `flush`. The writer wakes these threads after it
        /// has changed the state.
        var waiting = 0
        var isClosed = false
        /// The `errno` of the failed write; nil if no write failed.
        var failure: Int32?
        /// Whether the process is exiting.
        var isEnding = false
        /// The number of bytes that blocking writes have written so far.
        var written = 0
    }

    private let output: OutputDescriptor
    private let maxQueue: Int
    private let onClosed: @Sendable () -> Void
    private let state = Monitor(State())

    /// Creates a writer for a descriptor.
    ///
    /// - Parameters:
    ///   - maxQueue: the maximum number of unwritten bytes. Above this limit, `waitForRoom` blocks.
    ///   - onClosed: called once, after the client has closed the pipe or a write has failed.
    init(_ descriptor: Int32, maxQueue: Int, onClosed: @escaping @Sendable () -> Void) {
        output = OutputDescriptor(descriptor)
        self.maxQueue = maxQueue
        self.onClosed = onClosed
    }

    /// Whether the client has closed the pipe or a write has failed.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The `errno` of the failed write; nil if no write failed. A pipe that the client has closed is not a failure.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Whether the process is exiting.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// The number of bytes that blocking writes have written so far.
    var written: Int { state.withLock { $0.written } }

    /// Whether the number of unwritten reply bytes is at most `maxQueue`.
    var hasRoom: Bool { state.withLock { $0.queue.count + $0.underWay <= maxQueue } }

    /// Sends complete messages without blocking. Returns true if these bytes and all queued bytes were written;
    /// otherwise false.
    ///
    /// - Parameter bytes: the messages, each with its `Content-Length` header or final newline.
    @discardableResult
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty, claimDescriptor(with: bytes) else { return false }
        guard let written = writeWithoutWaiting(bytes) else { return false }
        var rest = Array(bytes[written...])
        while rest.isEmpty, let queued = takeQueued() {
            guard let written = queued.withUnsafeBytes({ writeWithoutWaiting($0) }) else { return false }
            rest = Array(queued[written...])
        }
        if rest.isEmpty { return true }
        handOver(rest)
        return false
    }

    /// Records that the process is exiting.
    func beginEnd() { state.change { $0.isEnding = true } }

    /// Blocks until at most `maxQueue` bytes are unwritten, but not longer than the time `limit`. Returns false if the
    /// time has run out. Does not block if the process is exiting or the client has closed the pipe.
    @discardableResult
    func waitForRoom(upTo limit: Duration = .unlimited) -> Bool {
        let isReady: (State) -> Bool = { [maxQueue] in
            $0.queue.count + $0.underWay <= maxQueue || $0.isEnding || $0.isClosed
        }
        let isNow = state.withLock { state in
            let isNow = isReady(state)
            if !isNow { state.waiting += 1 }
            return isNow
        }
        if isNow { return true }
        defer { state.withLock { $0.waiting -= 1 } }
        return state.wait(upTo: limit, until: isReady)
    }

    /// Blocks until all bytes are written, the client has closed the pipe, or the client has read nothing for
    /// `maxStall`. Returns the number of unwritten bytes.
    ///
    /// - Parameters:
    ///   - maxStall: the maximum time between two reads by the client.
    ///   - onStall: called each time `maxStall` has passed while bytes are still unwritten.
    @discardableResult
    func flush(maxStall: Duration = .seconds(30), onStall: () -> Void = {}) -> Int {
        var before = state.withLock { state in
            state.waiting += 1
            return state.written
        }
        defer { state.withLock { $0.waiting -= 1 } }
        while !state.wait(
            upTo: max(.milliseconds(10), maxStall), until: { $0.isClosed || ($0.queue.isEmpty && !$0.isWriting) })
        {
            onStall()
            let (now, left) = state.withLock { ($0.written, $0.queue.count + $0.underWay) }
            if now == before { return left }
            before = now
        }
        return 0
    }

    /// Reserves the descriptor for the calling thread. If another thread uses the descriptor or the descriptor has no
    /// room, queues the bytes and returns false. If the descriptor is closed, drops the bytes and returns false.
    private func claimDescriptor(with bytes: UnsafeRawBufferPointer) -> Bool {
        var isMine = false
        var hasWriter = true
        state.changeIfRelevant { state in
            if state.isClosed { return false }
            isMine = !state.isWriting && output.canWriteWithoutWaiting
            if isMine {
                state.isWriting = true
                return false
            }
            state.queue.append(contentsOf: bytes)
            if !state.isWriting { hasWriter = startThread(&state) }
            return true
        }
        if !hasWriter { writeQueued(isThread: false) }
        return isMine
    }

    /// Removes and returns the queued bytes. If there are none, returns nil, and lets other threads write to the
    /// descriptor again.
    private func takeQueued() -> [UInt8]? {
        var queued: [UInt8]?
        state.changeIfRelevant { state in
            if state.queue.isEmpty {
                state.isWriting = false
            } else {
                queued = state.queue
                state.queue = []
            }
            return state.waiting > 0
        }
        return queued
    }

    /// Puts unwritten bytes at the front of the queue, and passes the queue to the writer's thread.
    private func handOver(_ rest: [UInt8]) {
        let hasWriter = state.change { state in
            state.queue = state.queue.isEmpty ? rest : rest + state.queue
            return startThread(&state)
        }
        if !hasWriter { writeQueued(isThread: false) }
    }

    /// Writes as many bytes as possible without blocking, and returns their number. Nil if the pipe is closed or
    /// broken.
    private func writeWithoutWaiting(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var written = 0
        while written < bytes.count {
            switch output.writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
            case .wrote(let count): written += count
            case .wouldBlock: return written
            case .closed:
                close()
                return nil
            case .failed(let reason):
                close(reason)
                return nil
            }
        }
        return written
    }

    /// Passes the queued bytes to the writer's thread. Returns false if this thread cannot be started, so that the
    /// caller must write the bytes itself.
    private func startThread(_ state: inout State) -> Bool {
        state.isWriting = true
        state.isHandedOver = true
        if !state.hasThread {
            state.hasThread = Thread.start("larder-replies") { [self] in writeQueued(isThread: true) }
        }
        return state.hasThread
    }

    /// Writes the queued bytes, and blocks if necessary. Returns when the pipe is closed or broken.
    ///
    /// - Parameter isThread: whether the caller is the writer's thread. If the queue is empty, this thread waits for
    ///   more bytes, but any other caller returns.
    private func writeQueued(isThread: Bool) {
        while true {
            let batch = state.wait(until: { $0.isHandedOver || $0.isClosed }) { state in
                let batch = state.queue
                state.queue = []
                state.underWay = batch.count
                return state.isClosed ? [] : batch
            }
            if isClosed { return }
            guard write(batch) else { return }
            let isDone = state.change { state in
                guard state.queue.isEmpty else { return false }
                state.isWriting = false
                state.isHandedOver = false
                return !isThread
            }
            if isDone { return }
        }
    }

    /// Writes all bytes, and blocks if necessary. Returns false if the pipe is closed or broken.
    private func write(_ batch: [UInt8]) -> Bool {
        batch.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                switch output.writeWaiting(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
                case .wrote(let count):
                    written += count
                    state.changeIfRelevant { state in
                        state.underWay -= count
                        state.written &+= count
                        return state.waiting > 0
                    }
                case .wouldBlock: continue
                case .closed:
                    close()
                    return false
                case .failed(let reason):
                    close(reason)
                    return false
                }
            }
            return true
        }
    }

    /// Marks the descriptor as unusable.
    ///
    /// - Parameter failure: the `errno` of the failed write; nil if the client closed the pipe.
    private func close(_ failure: Int32? = nil) {
        let isFirst = state.change { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            state.failure = failure
            state.queue = []
            return true
        }
        if isFirst { onClosed() }
    }
}
