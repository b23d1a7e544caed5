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

    fileprivate struct State {
        /// Those from `first` on were not sent yet.
        var letters: [Letter] = []
        var first = 0
        /// How many bytes wait to be sent.
        var waiting = 0
        /// How many bytes were sent, and not answered yet.
        var sent = 0
        /// Whether somebody sends just now.
        var isSending = false
        var onceEmpty: [@Sendable () -> Void] = []
    }

    /// How many bytes are under way at most, unless they are all one letter's.
    static let window = 128 << 10
    /// How many bytes may wait. What comes then fails, as if there were no connection.
    static let most = 16 << 20

    private let server: any RedisServerContract
    private let state = Lock(State())

    init(_ server: any RedisServerContract) { self.server = server }

    /// Sends commands in one go, after all that was posted here before.
    ///
    /// - Parameter then: called once, with the replies or with why there are none. Where the connection fails, that is
    ///   so for all that waits.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Outcome) -> Void = { _ in }) {
        guard !commands.isEmpty else { return then(.success([])) }
        let letter = Letter(commands: commands, size: commands.reduce(0) { $0 + $1.size }, then: then)
        if state.withLock({ $0.take(letter) }) { send() } else { then(.failure(.notConnected)) }
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
            if case .failure = outcome { return state.takeAll() }
            return []
        }
        for letter in failed { letter.then(outcome) }
        for body in state.withLock({ $0.takeWhoWaits() }) { body() }
        send()
    }
}

extension SharedOutbox.State {
    fileprivate var isEmpty: Bool { letters.isEmpty && sent == 0 }

    /// Returns whether there is room for it.
    fileprivate mutating func take(_ letter: SharedOutbox.Letter) -> Bool {
        guard waiting == 0 || waiting + letter.size <= SharedOutbox.most else { return false }
        letters.append(letter)
        waiting += letter.size
        return true
    }

    /// The next one, if it may be sent now and nobody else sends: they must go out in their order.
    fileprivate mutating func next() -> SharedOutbox.Letter? {
        guard !isSending, first < letters.count else { return nil }
        let letter = letters[first]
        guard sent == 0 || sent + letter.size <= SharedOutbox.window else { return nil }
        isSending = true
        first += 1
        waiting -= letter.size
        sent += letter.size
        if first == letters.count || first == 1000 {
            letters.removeFirst(first)
            first = 0
        }
        return letter
    }

    /// All that was not sent.
    fileprivate mutating func takeAll() -> [SharedOutbox.Letter] {
        defer { (letters, first, waiting) = ([], 0, 0) }
        return Array(letters[first...])
    }

    /// Who waits for it to be empty, if it is.
    fileprivate mutating func takeWhoWaits() -> [@Sendable () -> Void] {
        guard isEmpty else { return [] }
        defer { onceEmpty = [] }
        return onceEmpty
    }
}
