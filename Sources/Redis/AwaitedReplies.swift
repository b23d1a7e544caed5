/// The batches of commands that were sent and are not answered, in the order in which the replies come.
struct AwaitedReplies {
    /// The time that the server has for the batch whose replies come next.
    struct Turn: Equatable {
        /// When the batch was sent, or the one before it was answered, whichever was later; in milliseconds.
        let begin: Int
        /// The size of its commands in bytes.
        let size: Int
    }

    fileprivate struct Batch {
        let size: Int
        /// When it was sent, in milliseconds.
        let begin: Int
        /// Whether a caller waits for it.
        let isWaited: Bool
        /// The number of replies that are still to come.
        var missing: Int
        var replies: [RESPValue] = []
        /// The memory of `replies`, in bytes.
        var memory = 0
        /// Nil after it was called; replies that come then are dropped.
        var then: RedisLink.Completion?
    }

    /// The memory that the replies to one batch may take, in bytes.
    static let maxMemory = 64 << 20
    /// The number of answered batches that are kept before the others.
    private static let maxAnswered = 64

    private var batches: [Batch] = []
    /// The index of the first batch that is not answered.
    private var first = 0
    private var turnBegin = 0

    var isEmpty: Bool { first == batches.count }

    /// The completions that were not called.
    var completions: [RedisLink.Completion] { batches[first...].compactMap(\.then) }

    /// The replies that have come for the first batch.
    var firstReplies: [RESPValue] { isEmpty ? [] : batches[first].replies }

    /// The turn of the first batch; nil if nothing is awaited.
    var turn: Turn? { isEmpty ? nil : Turn(begin: turnBegin, size: batches[first].size) }

    /// When the first of the batches was sent for which callers still wait, in milliseconds; nil if there is none.
    var firstWait: Int? { batches[first...].first { $0.isWaited && $0.then != nil }?.begin }

    /// Appends a batch of `count` commands, at least one, of `size` bytes.
    mutating func append(
        _ count: Int, size: Int, at now: Int, isWaited: Bool, _ then: @escaping RedisLink.Completion
    ) {
        if isEmpty { turnBegin = now }
        batches.append(Batch(size: size, begin: now, isWaited: isWaited, missing: count, then: then))
    }

    /// Returns the completions of the callers that wait since `moment` or longer. Their replies are dropped.
    mutating func takeLate(since moment: Int) -> [RedisLink.Completion] {
        var late: [RedisLink.Completion] = []
        for index in first..<batches.count where batches[index].isWaited && batches[index].begin <= moment {
            if let then = batches[index].drop() { late.append(then) }
        }
        return late
    }

    /// Takes the next reply; a batch must be awaited. Returns a call that completes its batch: with the last of its
    /// replies, or when they have become too large together.
    mutating func take(_ reply: RESPValue, memory: Int, at now: Int) -> (() -> Void)? {
        let completion = batches[first].take(reply, memory)
        if batches[first].missing == 0 { endTurn(at: now) }
        return completion
    }

    private mutating func endTurn(at now: Int) {
        turnBegin = now
        first += 1
        if isEmpty {
            batches.removeAll(keepingCapacity: first <= Self.maxAnswered)
            first = 0
        } else if first > Self.maxAnswered, first > batches.count / 2 {
            batches.removeFirst(first)
            first = 0
        }
    }
}

extension AwaitedReplies.Batch {
    /// Drops the replies that have come, and those that come from now on.
    fileprivate mutating func drop() -> RedisLink.Completion? {
        defer { (replies, memory, then) = ([], 0, nil) }
        return then
    }

    fileprivate mutating func take(_ reply: RESPValue, _ memory: Int) -> (() -> Void)? {
        missing -= 1
        guard then != nil else { return nil }
        self.memory += memory
        guard self.memory <= AwaitedReplies.maxMemory else {
            let then = drop()
            return { then?(.failure(.tooLarge)) }
        }
        replies.append(reply)
        guard missing == 0 else { return nil }
        let replies = replies
        let then = drop()
        return { then?(.success(replies)) }
    }
}
