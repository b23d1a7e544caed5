/// Who waits for replies, in the order in which those come.
struct AwaitedReplies {
    private struct Batch {
        let count: Int
        /// When it was sent, in milliseconds.
        let begin: Int
        /// Whether somebody does nothing else meanwhile.
        let isWaited: Bool
        var replies: [RESPValue] = []
        /// Nil once it was called.
        var then: RedisLink.Completion?
    }

    /// How many that were answered are kept at most before the others.
    private static let maxAnswered = 64

    private var batches: [Batch] = []
    /// Those before were answered.
    private var first = 0

    var isEmpty: Bool { first == batches.count }

    /// Who waits.
    var completions: [RedisLink.Completion] { batches[first...].compactMap(\.then) }

    /// What has come for the one who is next.
    var firstReplies: [RESPValue] { isEmpty ? [] : batches[first].replies }

    /// When that was sent whose replies come next, in milliseconds; nil where nothing is awaited.
    var begin: Int? { isEmpty ? nil : batches[first].begin }

    /// Notes who waits for so many replies, at least one, from a moment on.
    mutating func append(_ count: Int, at now: Int, isWaited: Bool, _ then: @escaping RedisLink.Completion) {
        batches.append(Batch(count: count, begin: now, isWaited: isWaited, then: then))
    }

    /// Who has waited since a moment or longer. What comes for them is passed over.
    mutating func takeLate(since moment: Int) -> [RedisLink.Completion] {
        var late: [RedisLink.Completion] = []
        for index in first..<batches.count where batches[index].isWaited && batches[index].begin <= moment {
            if let then = batches[index].then { late.append(then) }
            batches[index].then = nil
        }
        return late
    }

    /// Takes a reply, which somebody waits for. Returns what is to be called if it is the last of theirs.
    mutating func take(_ reply: RESPValue) -> (() -> Void)? {
        batches[first].replies.append(reply)
        guard batches[first].replies.count == batches[first].count else { return nil }
        let (then, replies) = (batches[first].then, batches[first].replies)
        batches[first].replies = []
        first += 1
        if isEmpty {
            batches.removeAll(keepingCapacity: first <= Self.maxAnswered)
            first = 0
        } else if first > Self.maxAnswered, first > batches.count / 2 {
            batches.removeFirst(first)
            first = 0
        }
        return { then?(.success(replies)) }
    }
}
