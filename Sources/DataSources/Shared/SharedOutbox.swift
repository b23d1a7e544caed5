import Redis
import System

/// A queue of Redis commands that are sent in the background, in order. The queue sends small batches, so that other
/// commands on the connection are not delayed.
final class SharedOutbox: Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>

    fileprivate struct Batch {
        let commands: [RedisCommand]
        let size: Int
        let then: @Sendable (Outcome) -> Void
    }

    fileprivate struct Queue {
        private var batches: [Batch] = []
        /// The index of the first unsent batch.
        private var first = 0
        private(set) var bytes = 0

        var isEmpty: Bool { first == batches.count }

        var next: Batch? { isEmpty ? nil : batches[first] }

        mutating func append(_ batch: Batch) {
            batches.append(batch)
            bytes += batch.size
        }

        mutating func takeNext() {
            bytes -= batches[first].size
            first += 1
            if isEmpty || first == 1000 {
                batches.removeFirst(first)
                first = 0
            }
        }

        mutating func takeAll() -> [Batch] {
            defer { self = Queue() }
            return Array(batches[first...])
        }
    }

    fileprivate struct State {
        var queue = Queue()
        /// The number of sent bytes to which the Redis server has not replied yet.
        var sent = 0
        /// Whether a thread is sending commands. Only one thread sends at a time, to keep the order.
        var isSending = false
        var onceEmpty: [@Sendable () -> Void] = []
    }

    /// The maximum number of sent bytes without a reply. A single batch may exceed this number.
    static let window = 128 << 10
    /// The maximum number of queued bytes. A batch that would exceed this number fails, unless the queue is empty.
    static let maxWaiting = 16 << 20

    private let server: any RedisServerContract
    private let state = Lock(State())

    init(_ server: any RedisServerContract) { self.server = server }

    /// Queues commands, which are sent together after all earlier commands.
    ///
    /// - Parameter then: called once, with the replies or an error. If the connection fails, all waiting batches fail.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Outcome) -> Void = { _ in }) {
        guard !commands.isEmpty else { return then(.success([])) }
        let batch = Batch(commands: commands, size: commands.reduce(0) { $0 + $1.size }, then: then)
        if state.withLock({ $0.take(batch) }) { send() } else { then(.failure(.noRoom)) }
    }

    /// Waits until all queued commands are answered or have failed, for at most `limit` milliseconds.
    func drain(within limit: Milliseconds, _ timer: any TimerContract) async {
        await withCheckedContinuation { continuation in
            let isDone = Lock(false)
            let end: @Sendable () -> Void = {
                let isFirst = isDone.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                if isFirst { continuation.resume() }
            }
            let isEmpty = state.withLock { state in
                if !state.isEmpty { state.onceEmpty.append(end) }
                return state.isEmpty
            }
            if isEmpty { end() } else { timer.run(after: limit, end) }
        }
    }

    private func send() {
        while let batch = state.withLock({ $0.next() }) {
            server.post(batch.commands) { [self] outcome in
                batch.then(outcome)
                end(batch, outcome)
            }
            state.withLock { $0.isSending = false }
        }
    }

    private func end(_ batch: Batch, _ outcome: Outcome) {
        let failed = state.withLock { state in
            state.sent -= batch.size
            if case .failure = outcome { return state.queue.takeAll() }
            return []
        }
        for batch in failed { batch.then(outcome) }
        for body in state.withLock({ $0.takeCallbacks() }) { body() }
        send()
    }
}

extension SharedOutbox.State {
    fileprivate var isEmpty: Bool { queue.isEmpty && sent == 0 }

    /// Adds a batch to the queue. Returns false if the queue is full.
    fileprivate mutating func take(_ batch: SharedOutbox.Batch) -> Bool {
        guard queue.isEmpty || queue.bytes + batch.size <= SharedOutbox.maxWaiting else { return false }
        queue.append(batch)
        return true
    }

    /// Removes and returns the next batch to send. Returns nil if the queue is empty, if another thread is sending, or
    /// if the batch would raise the number of unanswered bytes above `window`. The size of the batch does not matter if
    /// no bytes are unanswered.
    fileprivate mutating func next() -> SharedOutbox.Batch? {
        guard !isSending, let batch = queue.next else { return nil }
        guard sent == 0 || sent + batch.size <= SharedOutbox.window else { return nil }
        queue.takeNext()
        isSending = true
        sent += batch.size
        return batch
    }

    /// Removes and returns the callbacks that wait for an empty queue. Returns none if commands are still unsent or
    /// unanswered.
    fileprivate mutating func takeCallbacks() -> [@Sendable () -> Void] {
        guard isEmpty else { return [] }
        defer { onceEmpty = [] }
        return onceEmpty
    }
}
