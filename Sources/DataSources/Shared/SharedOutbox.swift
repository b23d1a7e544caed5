import System

/// Carries to the server what nobody waits for, in the order in which it comes and a little at a time: what somebody
/// does wait for goes past it, and must not stand behind a megabyte on a slow line.
final class SharedOutbox: Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>

    fileprivate struct Letter {
        let commands: [RedisCommand]
        let size: Int
        let then: @Sendable (Outcome) -> Void
    }

    /// Letters in the order in which they came.
    fileprivate struct Lane {
        private var letters: [Letter] = []
        /// Those before were sent.
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
            defer { self = Lane() }
            return Array(letters[first...])
        }
    }

    fileprivate struct State {
        /// Those that go before the others, and the others.
        var lanes = (urgent: Lane(), usual: Lane())
        /// How many bytes were sent, and not answered yet.
        var sent = 0
        /// Whether somebody sends just now.
        var isSending = false
        var onceEmpty: [@Sendable () -> Void] = []
    }

    /// How many bytes are under way at most, unless they are all one letter's.
    static let window = 128 << 10
    /// How many bytes may wait, of those that go first and of the others. What comes then fails.
    static let most = 16 << 20

    private let server: any RedisServerContract
    private let state = Lock(State())

    init(_ server: any RedisServerContract) { self.server = server }

    /// Sends commands in one go, after all that was posted here before.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes before what is not, and waits.
    ///   - then: called once, with the replies or with why there are none. Where the connection fails, that is so for
    ///     all that waits.
    func post(
        _ commands: [RedisCommand], isUrgent: Bool = false, then: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) {
        guard !commands.isEmpty else { return then(.success([])) }
        let letter = Letter(commands: commands, size: commands.reduce(0) { $0 + $1.size }, then: then)
        if state.withLock({ $0.take(letter, isUrgent) }) { send() } else { then(.failure(.noRoom)) }
    }

    /// Returns when all that was posted is answered or has failed, or after so many milliseconds.
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
            if case .failure = outcome { return state.lanes.urgent.takeAll() + state.lanes.usual.takeAll() }
            return []
        }
        for letter in failed { letter.then(outcome) }
        for body in state.withLock({ $0.takeWhoWaits() }) { body() }
        send()
    }
}

extension SharedOutbox.State {
    fileprivate var isEmpty: Bool { lanes.urgent.isEmpty && lanes.usual.isEmpty && sent == 0 }

    /// Returns whether there is room for it.
    fileprivate mutating func take(_ letter: SharedOutbox.Letter, _ isUrgent: Bool) -> Bool {
        let waiting = isUrgent ? lanes.urgent.bytes : lanes.usual.bytes
        guard waiting == 0 || waiting + letter.size <= SharedOutbox.most else { return false }
        if isUrgent { lanes.urgent.append(letter) } else { lanes.usual.append(letter) }
        return true
    }

    /// The next one, if it may be sent now and nobody else sends: they must go out in their order.
    fileprivate mutating func next() -> SharedOutbox.Letter? {
        guard !isSending, let letter = lanes.urgent.next ?? lanes.usual.next else { return nil }
        guard sent == 0 || sent + letter.size <= SharedOutbox.window else { return nil }
        if lanes.urgent.isEmpty { lanes.usual.takeNext() } else { lanes.urgent.takeNext() }
        isSending = true
        sent += letter.size
        return letter
    }

    /// Who waits for it to be empty, if it is.
    fileprivate mutating func takeWhoWaits() -> [@Sendable () -> Void] {
        guard isEmpty else { return [] }
        defer { onceEmpty = [] }
        return onceEmpty
    }
}
