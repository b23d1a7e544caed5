/// The only one who writes to the real stdout.
///
/// Whoever has a reply writes it himself while nobody else writes and the descriptor has room; else it is queued, and a thread
/// of the writer's own sends it. So a reply has no hop between threads, and nobody but that thread ever waits for the reader of
/// the replies.
final class ReplyWriter: Sendable {
    private struct State {
        /// What waits to be written, in order.
        var queue: [UInt8] = []
        /// Whether somebody writes now: he alone touches the descriptor.
        var isWriting = false
        /// Whether the thread is to write what is queued.
        var isHandedOver = false
        var hasThread = false
        var isClosed = false
    }

    private let output: OutputDescriptor
    private let maxQueue: Int
    private let onClosed: @Sendable () -> Void
    private let state = Monitor(State())

    /// A writer to a descriptor.
    ///
    /// - Parameters:
    ///   - maxQueue: from so many queued bytes on, `waitForRoom` waits.
    ///   - onClosed: called once when nobody reads the replies any more.
    init(_ descriptor: Int32, maxQueue: Int, onClosed: @escaping @Sendable () -> Void) {
        output = OutputDescriptor(descriptor)
        self.maxQueue = maxQueue
        self.onClosed = onClosed
    }

    /// Whether nobody reads the replies any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Sends whole messages, framed. It never waits.
    func send(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let isMine = state.withLock { state in
            if state.isClosed { return false }
            if state.isWriting || !output.canWriteWithoutWaiting {
                state.queue.append(contentsOf: bytes)
                if !state.isWriting { handOver(&state) }
                return false
            }
            state.isWriting = true
            return true
        }
        guard isMine else {
            state.change { _ in }
            return
        }
        var written = 0
        while written < bytes.count {
            switch output.writeWithoutWaiting(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
            case .wrote(let count): written += count
            case .wouldBlock: return giveUp(bytes[written...])
            case .closed: return close()
            }
        }
        giveUp(bytes[written...])
    }

    /// Waits while more is queued than may be.
    func waitForRoom() {
        state.wait(until: { $0.queue.count <= maxQueue || $0.isClosed }, then: { _ in })
    }

    /// Waits until everything is written, or nobody reads it any more.
    func flush() {
        state.wait(until: { ($0.queue.isEmpty && !$0.isWriting) || $0.isClosed }, then: { _ in })
    }

    /// Ends a turn: what is left goes before what was queued meanwhile, and the thread writes it.
    private func giveUp(_ rest: Slice<UnsafeRawBufferPointer>) {
        state.change { state in
            if !rest.isEmpty { state.queue.insert(contentsOf: rest, at: 0) }
            state.isWriting = false
            if !state.queue.isEmpty { handOver(&state) }
        }
    }

    private func handOver(_ state: inout State) {
        state.isWriting = true
        state.isHandedOver = true
        guard !state.hasThread else { return }
        state.hasThread = true
        Thread.start { [self] in writeQueued() }
    }

    private func writeQueued() {
        while true {
            let batch = state.wait(until: { $0.isHandedOver || $0.isClosed }) { state in
                let batch = state.queue
                state.queue = []
                return state.isClosed ? [] : batch
            }
            if isClosed { return }
            guard write(batch) else { return close() }
            state.change { state in
                guard state.queue.isEmpty else { return }
                state.isWriting = false
                state.isHandedOver = false
            }
        }
    }

    private func write(_ batch: [UInt8]) -> Bool {
        batch.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                switch output.writeWaiting(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
                case .wrote(let count): written += count
                case .wouldBlock: continue
                case .closed: return false
                }
            }
            return true
        }
    }

    private func close() {
        let isFirst = state.change { state in
            defer {
                state.isClosed = true
                state.queue = []
            }
            return !state.isClosed
        }
        if isFirst { onClosed() }
    }
}
