import Redis
import System

/// Queues commands that no caller waits for, and sends them in order and in small portions: a command that a caller
/// waits for overtakes them, and must not wait for a megabyte on a slow line.
final class SharedOutbox: Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>

    fileprivate struct Letter {
        let commands: [RedisCommand]
        let size: Int
        let then: @Sendable (Outcome) -> Void
    }

    fileprivate struct Queue {
        private var letters: [Letter] = []
        /// The position of the first one that was not sent.
        private var first = 0
        private(set) var bytes = 0

        var isEmpty: Bool { first == letters.count }

        var next: Letter? { isEmpty ? nil : letters[first] }

        mutating func append(_ letter: Letter) {
            letters.append(letter)
            bytes += letter.size
        }

        mutating func takeNext() {
            bytes -= letters[first].size
            first += 1
            if isEmpty || first == 1000 {
                letters.removeFirst(first)
                first = 0
            }
        }

        mutating func takeAll() -> [Letter] {
            defer { self = Queue() }
            return Array(letters[first...])
        }
    }

    fileprivate struct State {
        var queue = Queue()
        /// The bytes that were sent and are not answered yet.
        var sent = 0
        /// Whether a thread is sending: one at a time keeps the order.
        var isSending = false
        var onceEmpty: [@Sendable () -> Void] = []
    }

    /// The limit of bytes that are sent and unanswered. A single letter may exceed it.
    static let window = 128 << 10
    /// The limit of bytes that wait. Further letters fail.
    static let maxWaiting = 16 << 20

    private let server: any RedisServerContract
    private let state = Lock(State())

    init(_ server: any RedisServerContract) { self.server = server }

    /// Sends commands together, after all that was posted before.
    ///
    /// - Parameter then: called once, with the replies or an error. If the connection fails, all waiting letters fail.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Outcome) -> Void = { _ in }) {
        guard !commands.isEmpty else { return then(.success([])) }
        let letter = Letter(commands: commands, size: commands.reduce(0) { $0 + $1.size }, then: then)
        if state.withLock({ $0.take(letter) }) { send() } else { then(.failure(.noRoom)) }
    }

    /// Returns when all that was posted is answered or has failed, or after `limit` milliseconds.
    func drain(within limit: Int, _ timer: any TimerContract) async {
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
        while let letter = state.withLock({ $0.next() }) {
            server.post(letter.commands) { [self] outcome in
                letter.then(outcome)
                end(letter, outcome)
            }
            state.withLock { $0.isSending = false }
        }
    }

    private func end(_ letter: Letter, _ outcome: Outcome) {
        let failed = state.withLock { state in
            state.sent -= letter.size
            if case .failure = outcome { return state.queue.takeAll() }
            return []
        }
        for letter in failed { letter.then(outcome) }
        for body in state.withLock({ $0.takeCallbacks() }) { body() }
        send()
    }
}

extension SharedOutbox.State {
    fileprivate var isEmpty: Bool { queue.isEmpty && sent == 0 }

    /// Adds a letter. Returns whether there was room for it.
    fileprivate mutating func take(_ letter: SharedOutbox.Letter) -> Bool {
        guard queue.isEmpty || queue.bytes + letter.size <= SharedOutbox.maxWaiting else { return false }
        queue.append(letter)
        return true
    }

    /// Takes the next letter if it may be sent now.
    fileprivate mutating func next() -> SharedOutbox.Letter? {
        guard !isSending, let letter = queue.next else { return nil }
        guard sent == 0 || sent + letter.size <= SharedOutbox.window else { return nil }
        queue.takeNext()
        isSending = true
        sent += letter.size
        return letter
    }

    /// Takes the callbacks of `drain` if nothing is queued or unanswered.
    fileprivate mutating func takeCallbacks() -> [@Sendable () -> Void] {
        guard isEmpty else { return [] }
        defer { onceEmpty = [] }
        return onceEmpty
    }
}
