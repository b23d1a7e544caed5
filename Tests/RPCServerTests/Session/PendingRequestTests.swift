import JSON
import Protocol
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct PendingRequestTests {
    private static func id(_ json: String) throws -> RequestID {
        try #require(try JSONDocument(Array(json.utf8)).withRoot { RequestID($0) })
    }

    private static let cancelled = RPCError(.requestCancelled, "gone")

    @Test func onlyTheFirstAnswerIsSent() throws {
        let sink = SinkMock()
        let request = PendingRequest(id: try Self.id("1"), target: .stream(sink))
        request.answer(.success(ValueResult(true)))
        request.answer(.success(ValueResult(false)))
        request.cancel(with: Self.cancelled)
        #expect(sink.messages == [#"{"jsonrpc":"2.0","id":1,"result":true}"#])
    }

    @Test func cancelledRequestIsAnsweredWithTheErrorOnly() throws {
        let sink = SinkMock()
        let request = PendingRequest(id: try Self.id("\"a\""), target: .stream(sink))
        request.cancel(with: Self.cancelled)
        request.answer(.success(ValueResult(true)))
        #expect(sink.messages == [#"{"jsonrpc":"2.0","id":"a","error":{"code":-32800,"message":"gone"}}"#])
    }

    @Test func concurrentAnswersSendOneReply() async throws {
        let id = try Self.id("1")
        let sinks = (0..<300).map { _ in SinkMock() }
        let requests = sinks.map { PendingRequest(id: id, target: .stream($0)) }
        await onThreads(0..<4) { thread in
            for request in requests {
                if thread % 2 == 0 {
                    request.answer(.success(ValueResult(.integer(thread))))
                } else {
                    request.cancel(with: Self.cancelled)
                }
            }
        }
        #expect(sinks.allSatisfy { $0.messages.count == 1 })
    }

    @Test func abandonedRequestHasNoReply() throws {
        let sink = SinkMock()
        let request = PendingRequest(id: try Self.id("1"), target: .stream(sink))
        request.abandon()
        #expect(request.isAnswered && !request.answer(.success(ValueResult(true))))
        request.cancel(with: Self.cancelled)
        #expect(sink.messages.isEmpty)
    }

    @Test func batchDoesNotAwaitAnAbandonedRequest() throws {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        for _ in 1...2 { batch.expect() }
        batch.close()
        let requests = try ["1", "2"].map { PendingRequest(id: try Self.id($0), target: .batch(batch)) }
        requests[0].abandon()
        requests[0].abandon()
        #expect(sink.messages.isEmpty)
        requests[1].answer(.success(ValueResult(true)))
        requests[1].abandon()
        #expect(sink.messages == [#"[{"jsonrpc":"2.0","id":2,"result":true}]"#])
    }

    @Test func abandonedRequestCancelsTheTask() async throws {
        let request = PendingRequest(id: try Self.id("1"), target: .none)
        let gate = Gate()
        let task = Task { _ = try? await gate.wait() }
        request.started(task)
        request.abandon()
        await task.value
        let early = PendingRequest(id: try Self.id("1"), target: .none)
        early.abandon()
        let late = Task { _ = try? await gate.wait() }
        early.started(late)
        await late.value
    }

    @Test func taskStartedAfterTheCancellationIsCancelled() async throws {
        let request = PendingRequest(id: try Self.id("1"), target: .none)
        request.cancel(with: Self.cancelled)
        let gate = Gate()
        let task = Task { _ = try? await gate.wait() }
        request.started(task)
        #expect(task.isCancelled)
        await task.value
    }

    @Test func runningTaskIsCancelled() async throws {
        let request = PendingRequest(id: try Self.id("1"), target: .none)
        let gate = Gate()
        let task = Task { _ = try? await gate.wait() }
        request.started(task)
        #expect(!task.isCancelled)
        request.cancel(with: Self.cancelled)
        await task.value
    }

    /// A cancellation waits until an earlier answer has reached the writer, because the process may exit next.
    @Test func cancellationWaitsForAnAnswerThatIsBeingSent() async throws {
        final class SlowSink: MessageSink {
            let entered = Gate()
            let held = Gate()
            let isHandedOn = Counter()
            func send(message: [UInt8]) {
                entered.open()
                held.block()
                isHandedOn.add()
            }
        }
        let sink = SlowSink()
        let request = PendingRequest(id: try Self.id("1"), target: .stream(sink))
        async let answering: Void = onThread { request.answer(.success(ValueResult(.null))) }
        try await sink.entered.wait()
        let hasReturned = Monitor(false)
        async let wasHandedOn = onThread {
            request.cancel(with: Self.cancelled)
            defer { hasReturned.change { $0 = true } }
            return sink.isHandedOn.value == 1
        }
        // The other thread must not return while the sink is blocked. A short wait is enough to notice a fault.
        _ = await onThread { hasReturned.wait(upTo: .milliseconds(50)) { $0 } }
        sink.held.open()
        await answering
        #expect(await wasHandedOn)
    }
}

@Suite(.limited) struct PendingRequestsTests {
    private static func request(_ sink: SinkMock, id: String = "1") throws -> PendingRequest {
        let id = try #require(try JSONDocument(Array(id.utf8)).withRoot { RequestID($0) })
        return PendingRequest(id: id, target: .stream(sink))
    }

    @Test func oldestRequestWithAnIdIsFoundFirst() throws {
        let pending = PendingRequests()
        let sink = SinkMock()
        let requests = try ["1", "\"1\"", "1", "1.0"].map { try Self.request(sink, id: $0) }
        let numbers = requests.map { pending.add($0) }
        #expect(pending.unanswered == 4)
        let id = try #require(requests[0].id)
        #expect(
            pending.requests(with: id).map { ObjectIdentifier($0) } == [0, 2].map { ObjectIdentifier(requests[$0]) })
        pending.remove(numbers[0])
        #expect(pending.requests(with: id).count == 1)
        #expect(pending.unanswered == 3)
        pending.remove(numbers[0])
        #expect(pending.unanswered == 3)
    }

    @Test func waitingForRequestsInFlightEndsWithTheLastRequest() async throws {
        let pending = PendingRequests()
        let numbers = try (0..<3).map { _ in pending.add(try Self.request(SinkMock())) }
        async let isDrained = onThread { pending.drain(within: .seconds(600)) }
        for number in numbers { pending.remove(number) }
        #expect(await isDrained)
        #expect(pending.drain(within: .zero))
    }

    @Test func waitingForRequestsInFlightEndsAtTheDeadline() throws {
        let pending = PendingRequests()
        _ = pending.add(try Self.request(SinkMock()))
        #expect(!pending.drain(within: .zero))
        #expect(!pending.drain(within: .milliseconds(1)))
    }

    @Test func remainingRequestsAreAnsweredOnceAfterTheDeadline() async throws {
        let pending = PendingRequests()
        let sink = SinkMock()
        let gate = Gate()
        let requests = try (0..<5).map { _ in try Self.request(sink) }
        let tasks = requests.map { request in
            let number = pending.add(request)
            let task = Task {
                _ = try? await gate.wait()
                request.answer(.success(ValueResult(.null)))
                pending.remove(number)
            }
            request.started(task)
            return task
        }
        #expect(!pending.drain(within: .zero))
        pending.cancelAll(with: RPCError(.requestCancelled, "the end"))
        for task in tasks { await task.value }
        let expected = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the end"}}"#
        #expect(sink.messages == Array(repeating: expected, count: 5))
        #expect(pending.unanswered == 0)
    }

    /// A request that waits for an older request must not continue because the older request was cancelled first.
    @Test func newestRequestIsCancelledFirst() throws {
        let pending = PendingRequests()
        let sink = SinkMock()
        for id in 1...20 {
            let id = try JSONDocument(Array("\(id)".utf8)).withRoot { RequestID($0) }
            _ = pending.add(PendingRequest(id: id, target: .stream(sink)))
        }
        pending.cancelAll(with: RPCError(.requestCancelled, "the end"))
        let ids = try sink.messages.map { try JSONValue(parsing: $0)["id"] }
        #expect(ids == (1...20).reversed().map { .integer($0) })
    }

    @Test func waitingForRoomEndsWhenARequestEnds() async throws {
        let pending = PendingRequests()
        // The test is repeated because a missing wait fails only sometimes.
        for _ in 0..<200 {
            let number = pending.add(try Self.request(SinkMock()))
            pending.waitForRoom(below: 2)
            let begun = Gate()
            async let left = onThread {
                begun.open()
                pending.waitForRoom(below: 1)
                return pending.unanswered
            }
            try await begun.wait()
            pending.remove(number)
            #expect(await left == 0)
        }
    }

    @Test func requestsThatChangeDataCanBeExcludedFromTheCancellation() throws {
        for (sparesChanges, cancelled) in [(true, ["2"]), (false, ["2", "1"])] {
            let (pending, sink) = (PendingRequests(), SinkMock())
            for (id, isChange) in [("1", true), ("2", false)] {
                let id = try JSONDocument(Array(id.utf8)).withRoot { RequestID($0) }
                _ = pending.add(PendingRequest(id: id, target: .stream(sink), isChange: isChange))
            }
            pending.cancelAll(with: RPCError(.requestCancelled, "gone"), sparesChanges: sparesChanges)
            #expect(
                sink.messages
                    == cancelled.map {
                        #"{"jsonrpc":"2.0","id":\#($0),"error":{"code":-32800,"message":"gone"}}"#
                    })
        }
    }
}
