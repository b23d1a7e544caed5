import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis

/// Tests in which order and in which batches queued commands are sent.
@Suite(.limited) struct SharedOutboxTests {
    private let timer = TimerMock()
    private let server: RedisServerDouble
    private let outbox: SharedOutbox
    private let outcomes = Watched<[String]>([])

    init() {
        server = RedisServerDouble(RedisData(clock: ClockMock()))
        outbox = SharedOutbox(server)
        server.start(after: nil)
    }

    private func post(_ name: String, bytes: Int = 0) {
        outbox.post([RedisCommand("GET", name, String(repeating: "x", count: bytes))]) { [outcomes] outcome in
            let isDone = if case .success = outcome { true } else { false }
            outcomes.change { $0.append(name + (isDone ? "" : " failed")) }
        }
    }

    private var sent: [String] { server.commands.map { $0.words[1] } }

    @Test func redisBatchesAreSentInOrder() {
        for name in ["1", "2", "3"] { post(name) }
        #expect(sent == ["1", "2", "3"] && outcomes.value == sent)
    }

    /// A command with a waiting caller overtakes queued commands.
    @Test func bytesOfUnansweredRedisCommandsStayWithinTheWindow() async throws {
        server.hold()
        let half = SharedOutbox.window / 2 - 500
        for name in ["1", "2", "3", "4"] { post(name, bytes: half) }
        #expect(server.heldCount == 2)
        server.releaseOne()
        #expect(outcomes.value == ["1"] && server.heldCount == 2)
        _ = try await server.send([RedisCommand("GET", "now")])
        for _ in 2...4 { server.releaseOne() }
        #expect(sent == ["1", "now", "2", "3", "4"] && outcomes.value == ["1", "2", "3", "4"])
    }

    @Test func batchLargerThanTheWindowIsSentAlone() {
        server.hold()
        for name in ["1", "2"] { post(name, bytes: 3 * SharedOutbox.window) }
        #expect(server.heldCount == 1)
        server.release()
        #expect(outcomes.value == ["1", "2"])
    }

    /// Waiting commands are not kept for a later connection.
    @Test func waitingRedisBatchesFailIfTheConnectionIsLost() {
        server.hold()
        for name in ["1", "2", "3"] { post(name, bytes: SharedOutbox.window) }
        server.lose()
        server.releaseOne()
        #expect(outcomes.value == ["1 failed", "2 failed", "3 failed"] && sent.isEmpty)
        server.release()
        server.find()
        post("4")
        #expect(outcomes.value.last == "4")
    }

    /// Waiting batches fail even if the server is reachable again when the failure is reported.
    @Test func recoveredConnectionDoesNotSendOldRedisBatches() {
        server.hold()
        let first = RedisCommand("GET", "1", String(repeating: "x", count: SharedOutbox.window))
        outbox.post([first]) { [server] _ in server.find() }
        for name in ["2", "3"] { post(name, bytes: SharedOutbox.window) }
        server.lose()
        server.releaseOne()
        #expect(outcomes.value == ["2 failed", "3 failed"] && server.heldCount == 0 && sent.isEmpty)
    }

    @Test func batchOverTheQueueLimitFails() {
        server.hold()
        post("1", bytes: SharedOutbox.window)
        for number in 2...10 { post(String(number), bytes: SharedOutbox.maxWaiting / 8 + 1) }
        #expect(outcomes.value == ["9 failed", "10 failed"])
        server.release()
        #expect(outcomes.value == ["9 failed", "10 failed"] + (1...8).map { String($0) })
    }

    /// A batch that is posted in a completion is sent after the waiting batches.
    @Test func batchPostedByACompletionHandlerIsSentLast() {
        server.hold()
        outbox.post([RedisCommand("GET", "1", String(repeating: "x", count: SharedOutbox.window))]) { _ in post("3") }
        post("2")
        server.release()
        #expect(sent == ["1", "2", "3"])
    }

    @Test func drainWaitsForAllRedisReplies() async {
        await outbox.drain(within: 1000, timer)
        server.hold()
        post("1", bytes: SharedOutbox.window)
        post("2", bytes: SharedOutbox.window)
        let drained = Task { [outbox, timer, outcomes] in
            await outbox.drain(within: 1000, timer)
            return outcomes.value
        }
        await timer.alarm(in: 1000)
        server.release()
        #expect(await drained.value == ["1", "2"])
    }

    @Test func waitingForRedisRepliesEndsAtTheTimeLimit() async {
        server.hold()
        post("1")
        let drained = Task { [outbox, timer] in await outbox.drain(within: 1000, timer) }
        await timer.alarm(in: 1000)
        timer.advance(milliseconds: 1000)
        await drained.value
        server.release()
        #expect(outcomes.value == ["1"])
    }
}
