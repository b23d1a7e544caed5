import DataSources
import System

/// Writes all replies to the real stdout. No other code writes there.
///
/// The thread that has a reply writes it directly if no other thread is writing and the descriptor has room. Otherwise
/// the reply is queued, and the writer's own thread sends it. So a reply needs no thread switch, and only that thread
/// blocks on a slow client. If the system cannot start the thread, the sender that found no room blocks instead.
final class ReplyWriter: Sendable {
    private struct State {
        /// The bytes that wait to be written, in order.
        var queue: [UInt8] = []
        /// The number of bytes that the writer's thread has taken from the queue and not yet written.
        var underWay = 0
        /// Whether a thread is writing. Only that thread may use the descriptor.
        var isWriting = false
        /// Whether the writer's thread must write the queue.
        var isHandedOver = false
        var hasThread = false
        /// The number of threads that wait for the queue to shrink or become empty.
        var waiting = 0
        var isClosed = false
        /// The `errno` with which replies were lost; nil if no write failed.
        var failure: Int32?
        /// Whether the process was asked to exit. Then no thread waits without limit for a client that does not read.
        var isEnding = false
        /// The number of bytes that the writer's thread has written.
        var written = 0
    }

    private let output: OutputDescriptor
    private let maxQueue: Int
    private let onClosed: @Sendable () -> Void
    private let state = Monitor(State())

    /// Creates a writer for a descriptor.
    ///
    /// - Parameters:
    ///   - maxQueue: the number of unwritten bytes above which `waitForRoom` blocks.
    ///   - onClosed: called once, when the client has closed the pipe or a write has failed.
    init(_ descriptor: Int32, maxQueue: Int, onClosed: @escaping @Sendable () -> Void) {
        output = OutputDescriptor(descriptor)
        self.maxQueue = maxQueue
        self.onClosed = onClosed
    }

    /// Whether the client has closed the pipe or a write has failed.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The `errno` of the write that failed; nil if none did. A pipe that the client closed is not a failure.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Whether the process was asked to exit.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// The number of bytes that the writer's thread has written so far.
    var written: Int { state.withLock { $0.written } }

    /// Whether at most `maxQueue` bytes are unwritten.
    var hasRoom: Bool { state.withLock { $0.queue.count + $0.underWay <= maxQueue } }

    /// Sends whole, framed messages without blocking. Returns whether all bytes were written and none queued.
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

    /// Notes that the process was asked to exit.
    func beginEnd() { state.change { $0.isEnding = true } }

    /// Blocks while more than `maxQueue` bytes are unwritten, for at most `seconds`. Returns true if there is room, the
    /// process is exiting or the client has closed the pipe.
    @discardableResult
    func waitForRoom(seconds: Double = .infinity) -> Bool {
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
        return state.wait(seconds: seconds, until: isReady)
    }

    /// Blocks until every byte is written or the client has closed the pipe. Returns the number of bytes that the
    /// client did not read.
    ///
    /// - Parameters:
    ///   - patience: the number of seconds without progress after which the wait ends.
    ///   - onPatienceOver: called after each `patience` seconds, before the check for progress.
    @discardableResult
    func flush(patience: Double = 30, onPatienceOver: () -> Void = {}) -> Int {
        var before = state.withLock { state in
            state.waiting += 1
            return state.written
        }
        defer { state.withLock { $0.waiting -= 1 } }
        while !state.wait(
            seconds: max(0.01, patience), until: { $0.isClosed || ($0.queue.isEmpty && !$0.isWriting) })
        {
            onPatienceOver()
            let (now, left) = state.withLock { ($0.written, $0.queue.count + $0.underWay) }
            if now == before { return left }
            before = now
        }
        return 0
    }

    /// Claims the descriptor for this thread. Queues the bytes and returns false if another thread is writing or the
    /// descriptor could block.
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

    /// Returns the bytes that other threads queued during this write; nil if there are none, which ends the write.
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

    /// Gives the write to the writer's thread, because the descriptor is full. The rest of the message goes before
    /// bytes that were queued later.
    private func handOver(_ rest: [UInt8]) {
        let hasWriter = state.change { state in
            state.queue = state.queue.isEmpty ? rest : rest + state.queue
            return startThread(&state)
        }
        if !hasWriter { writeQueued(isThread: false) }
    }

    /// Writes as many bytes as fit and returns their number; nil if the pipe is closed or broken.
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

    /// Hands the queue to the writer's thread. Returns false if the system cannot start it; then the caller must write.
    private func startThread(_ state: inout State) -> Bool {
        state.isWriting = true
        state.isHandedOver = true
        if !state.hasThread {
            state.hasThread = Thread.start("larder-replies") { [self] in writeQueued(isThread: true) }
        }
        return state.hasThread
    }

    /// - Parameter isThread: whether to wait for more bytes when the queue is empty.
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

    /// Writes a batch, blocking as needed. Returns false if the pipe is closed or broken.
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

    /// Records that nothing can be written any more: the client closed the pipe, or a write failed with `failure`.
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
