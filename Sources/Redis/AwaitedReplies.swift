/// The batches of commands that the Redis server has not answered yet, in the order of sending. Redis replies in this
/// order.
struct AwaitedReplies {
    /// The start time and the size of the first batch that still lacks replies. They determine the batch's time limit.
    struct Turn: Equatable {
        /// The time at which the server could start to answer the batch, in milliseconds. It is the later of two times:
        /// when the batch was sent, and when the last reply to the previous batch arrived.
        let begin: Int
        /// The size of the commands in the batch, in bytes.
        let size: Int
    }

    fileprivate struct Batch {
        let size: Int
        /// The time at which the batch was sent, in milliseconds.
        let begin: Int
        /// Whether a caller waits for the replies.
        let isWaited: Bool
        /// The number of replies to the batch that have not arrived yet.
        var missing: Int
        var replies: [RESPValue] = []
        /// The memory that the received replies to the batch use, in bytes.
        var memory = 0
        /// The callback that receives all replies to the batch; nil once the callback was called.
        // Later replies are dropped.
        var then: RedisLink.Completion?
    }

    /// The maximum memory of the replies to one batch, in bytes.
    static let maxMemory = 64 << 20
    /// The number of answered batches that may stay in `batches`. Above this number, they are removed as soon as they
    /// are more than half of all batches.
    // Batches are removed rarely, because each removal moves the remaining batches.
    private static let maxAnswered = 64

    private var batches: [Batch] = []
    /// The index in `batches` of the first batch that still lacks replies.
    private var first = 0
    private var turnBegin = 0

    var isEmpty: Bool { first == batches.count }

    /// The callbacks of all batches that still lack replies. Callbacks that were already called are not included.
    var completions: [RedisLink.Completion] { batches[first...].compactMap(\.then) }

    /// The replies received so far for the first incomplete batch.
    var firstReplies: [RESPValue] { isEmpty ? [] : batches[first].replies }

    /// The start time and the size of the first batch that still lacks replies; nil if all batches are answered.
    var turn: Turn? { isEmpty ? nil : Turn(begin: turnBegin, size: batches[first].size) }

    /// The time at which the first batch with a waiting caller was sent, in milliseconds; nil if no caller waits.
    var firstWait: Int? { batches[first...].first { $0.isWaited && $0.then != nil }?.begin }

    /// Records that a batch of commands was sent and now awaits its replies.
    ///
    /// - Parameters:
    ///   - count: the number of commands, at least one.
    ///   - size: the size of the commands, in bytes.
    mutating func append(
        _ count: Int, size: Int, at now: Int, isWaited: Bool, _ then: @escaping RedisLink.Completion
    ) {
        if isEmpty { turnBegin = now }
        batches.append(Batch(size: size, begin: now, isWaited: isWaited, missing: count, then: then))
    }

    /// Removes and returns the callbacks of waiting callers whose batch was sent at `moment` or earlier. Later replies
    /// to these batches are dropped.
    mutating func takeLate(since moment: Int) -> [RedisLink.Completion] {
        var late: [RedisLink.Completion] = []
        for index in first..<batches.count where batches[index].isWaited && batches[index].begin <= moment {
            if let then = batches[index].drop() { late.append(then) }
        }
        return late
    }

    /// Adds the next reply to the first batch that still lacks replies. The caller must make sure that there is such a
    /// batch.
    ///
    /// - Returns: the batch's callback if this was the last reply, or if the replies exceed the memory limit; otherwise
    ///   nil.
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
    /// Drops the replies to the batch, including later replies. Returns the batch's callback; nil if the callback was
    /// already called.
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
