import System
import TestSupport
import Testing

@testable import Redis

/// Tests how replies are assigned to batches.
@Suite(.limited) struct AwaitedRepliesTests {
    private let results = Watched<[String]>([])
    private var awaited = AwaitedReplies()

    private mutating func append(
        _ name: String, _ count: Int = 1, size: Int = 10, at now: Int = 0, isWaited: Bool = false
    ) {
        awaited.append(count, size: size, at: now, isWaited: isWaited) { [results] outcome in
            switch outcome {
            case .success(let replies): results.change { $0.append("\(name): \(replies.count)") }
            case .failure(let error): results.change { $0.append("\(name): \(error)") }
            }
        }
    }

    private mutating func take(_ count: Int, memory: Int = 100, at now: Int = 0) {
        for number in 0..<count { awaited.take(.integer(Int64(number)), memory: memory, at: now)?() }
    }

    @Test mutating func eachBatchGetsItsOwnReplies() {
        append("a", 2)
        append("b")
        take(3)
        #expect(results.value == ["a: 2", "b: 1"] && awaited.isEmpty)
    }

    @Test mutating func repliesToLateCallersAreDropped() {
        append("posted", at: 100)
        append("old", 2, at: 100, isWaited: true)
        append("new", at: 101, isWaited: true)
        for then in awaited.takeLate(since: 100) { then(.failure(.late)) }
        #expect(results.value == ["old: late"] && awaited.takeLate(since: 100).isEmpty)
        take(2)
        #expect(awaited.firstReplies.isEmpty, "replies without a waiting caller are dropped")
        take(2)
        #expect(results.value == ["old: late", "posted: 1", "new: 1"] && awaited.isEmpty)
    }

    @Test mutating func callbackOfALateCallerIsNotCalledAgain() {
        append("old", at: 100, isWaited: true)
        _ = awaited.takeLate(since: 100)
        #expect(awaited.completions.isEmpty && !awaited.isEmpty)
    }

    @Test mutating func replyTimeOfABatchStartsWhenItIsSentOrAfterThePreviousReplies() {
        #expect(awaited.turn == nil)
        append("a", 2, size: 10, at: 100)
        append("b", size: 20, at: 150)
        #expect(awaited.turn == .init(begin: 100, size: 10))
        take(1, at: 200)
        #expect(awaited.turn == .init(begin: 100, size: 10), "a part of the replies does not end the turn")
        take(1, at: 300)
        #expect(awaited.turn == .init(begin: 300, size: 20))
        take(1, at: 400)
        append("c", size: 30, at: 500)
        #expect(awaited.turn == .init(begin: 500, size: 30))
    }

    @Test mutating func waitTimeIsMeasuredFromTheOldestWaitingCaller() {
        append("posted", at: 100)
        #expect(awaited.firstWait == nil)
        append("old", at: 200, isWaited: true)
        append("new", at: 300, isWaited: true)
        #expect(awaited.firstWait == 200)
        _ = awaited.takeLate(since: 200)
        #expect(awaited.firstWait == 300)
        take(3)
        #expect(awaited.firstWait == nil)
    }

    @Test mutating func repliesOverTheMemoryLimitAreDropped() {
        append("large", 3)
        append("next")
        take(2, memory: AwaitedReplies.maxMemory / 2)
        #expect(results.value == [] && awaited.firstReplies.count == 2)
        take(1, memory: 100)
        #expect(results.value == ["large: tooLarge"])
        take(1)
        #expect(results.value == ["large: tooLarge", "next: 1"], "the connection continues")
    }

    @Test mutating func batchOverTheLimitReleasesItsReplies() {
        append("large", 4)
        take(3, memory: AwaitedReplies.maxMemory)
        #expect(results.value == ["large: tooLarge"] && awaited.firstReplies.isEmpty && awaited.completions.isEmpty)
    }
}
