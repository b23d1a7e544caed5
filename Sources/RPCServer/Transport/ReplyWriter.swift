import DataSources
import System

/// The only one who writes to the real stdout.
///
/// The thread that has a reply writes it while no other writes and the descriptor has room; else it is queued, and
/// a thread of the writer's own sends it. So a reply has no hop between threads, and nobody but that thread ever waits
/// for the reader of the replies; unless the system has no thread to give: then who found no room waits.
final class ReplyWriter: Sendable {
    private struct State {
        /// What waits to be written, in order.
        var queue: [UInt8] = []
        /// How many bytes the thread has taken from the queue and not yet written.
        var underWay = 0
        /// Whether a thread writes now: it alone touches the descriptor.
        var isWriting = false
        /// Whether the thread is to write what is queued.
        var isHandedOver = false
        var hasThread = false
        /// How many threads wait for the queue to shrink or to empty.
        var waiting = 0
        var isClosed = false
        /// Why replies were lost, an `errno`; nil where they were not, or nobody reads them.
        var failure: Int32?
        /// Whether the process is told to end: then nobody waits for ever for a client that does not read.
        var isEnding = false
        /// How many bytes the thread has written.
        var written = 0
    }

    private let output: OutputDescriptor
    private let maxQueue: Int
    private let onClosed: @Sendable () -> Void
    private let state = Monitor(State())

    /// A writer to a descriptor.
    ///
    /// - Parameters:
    ///   - maxQueue: from so many bytes on that are not yet written, `waitForRoom` waits.
    ///   - onClosed: called once when nobody reads the replies any more, or they cannot be written.
    init(_ descriptor: Int32, maxQueue: Int, onClosed: @escaping @Sendable () -> Void) {
        output = OutputDescriptor(descriptor)
        self.maxQueue = maxQueue
        self.onClosed = onClosed
    }

    /// Whether nobody reads the replies any more, or they cannot be written.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Why replies could not be written, an `errno`; nil where they could, or nobody reads them any more.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Whether the process was told to end.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// How much of what had to wait for the reader was written by now.
    var written: Int { state.withLock { $0.written } }

    /// Whether no more has still to be written than may be.
    var hasRoom: Bool { state.withLock { $0.queue.count + $0.underWay <= maxQueue } }

    /// Sends whole messages, framed. It never waits. Returns whether all is written and nothing queued.
    @discardableResult
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty, takeTurn(with: bytes) else { return false }
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

    /// Says that the process is told to end.
    func beginEnd() { state.change { $0.isEnding = true } }

    /// Waits while more has still to be written than may be, unless the process is told to end, for so many seconds at
    /// most. Returns whether the wait is over.
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

    /// Waits until everything is written, or nobody reads it any more. Returns how many bytes nobody has read: 0 where
    /// all is written.
    ///
    /// - Parameters:
    ///   - patience: the wait is over when nothing was read for so many seconds.
    ///   - onPatienceOver: called each time so many seconds are over, before it is looked whether anything was read.
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

    /// Takes the turn to write; where it is another's, or nobody can write without waiting, the bytes are queued.
    private func takeTurn(with bytes: UnsafeRawBufferPointer) -> Bool {
        var isMine = false
        var hasWriter = true
        state.changeIfOfInterest { state in
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

    /// What others queued during this turn; nil ends the turn.
    private func takeQueued() -> [UInt8]? {
        var queued: [UInt8]?
        state.changeIfOfInterest { state in
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

    /// Ends a turn that found no more room: what is left goes before what was queued meanwhile, and the thread writes
    /// it.
    private func handOver(_ rest: [UInt8]) {
        let hasWriter = state.change { state in
            state.queue = state.queue.isEmpty ? rest : rest + state.queue
            return startThread(&state)
        }
        if !hasWriter { writeQueued(isThread: false) }
    }

    /// How much there was room for; nil, and all is over, where nothing can be written any more.
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

    /// Gives the turn to the thread. Where there is none, it is the caller's; returns whether there is one.
    private func startThread(_ state: inout State) -> Bool {
        state.isWriting = true
        state.isHandedOver = true
        if !state.hasThread {
            state.hasThread = Thread.start("larder-replies") { [self] in writeQueued(isThread: true) }
        }
        return state.hasThread
    }

    /// - Parameter isThread: whether to wait for more when all is written.
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

    /// Returns whether all was written; else all is over.
    private func write(_ batch: [UInt8]) -> Bool {
        batch.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                switch output.writeWaiting(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
                case .wrote(let count):
                    written += count
                    state.changeIfOfInterest { state in
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

    /// Notes that nothing can be written any more: nobody reads, or for a reason of the system's.
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
