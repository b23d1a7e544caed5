import Mocks
import System
import TestSupport
import Testing

@testable import HTTP

/// Tests the limits, the queue and the shutdown of the HTTP engine.
@Suite(.limited) struct HTTPEngineTests {
    @Test func httpTransfersOverTheLimitHaveToWait() async throws {
        let gate = Gate()
        let server = try LoopbackServer { .held(gate, .text($0.target)) }
        let client = HTTPClient(version: "test", maxTransfers: 2)
        let running = (0..<2).map { index in
            Task { try await client.send(HTTPRequest(url: "\(server.origin)/\(index)", timeout: 600_000)) }
        }
        await server.arrived(2)
        await #expect(throws: HTTPError.timeout(50).unsent) {
            try await client.send(HTTPRequest(url: server.origin + "/late", timeout: 50))
        }
        let waiting = Task { try await client.send(HTTPRequest(url: server.origin + "/cancelled", timeout: 600_000)) }
        let last = Task { try await client.send(HTTPRequest(url: server.origin + "/last", timeout: 600_000)) }
        waiting.cancel()
        await #expect(throws: HTTPError.cancelled.unsent) { try await waiting.value }
        #expect(server.requests.count == 2)
        gate.open()
        for task in running { #expect(try await task.value.status == 200) }
        #expect(try await last.value.body == Array("/last".utf8))
        #expect(server.requests.count == 3)
    }

    @Test func endOfAHTTPTransferStartsOnlyOneWaitingTransfer() async throws {
        let (first, second) = (Gate(), Gate())
        let server = try LoopbackServer { .held($0.target == "/0" ? first : second, .text("")) }
        let loop = EventLoop()
        let client = HTTPClient(version: "test", loop: loop, maxTransfers: 1)
        // The tasks run on the loop, so the client receives their requests in this order.
        let tasks = (0..<3).map { index in
            Task(executorPreference: loop) {
                try await client.send(HTTPRequest(url: "\(server.origin)/\(index)", timeout: 600_000))
            }
        }
        await Task(executorPreference: loop) {}.value
        first.open()
        await server.arrived(2)
        tasks[2].cancel()
        await #expect(throws: HTTPError.cancelled.unsent, "the request still waits") { try await tasks[2].value }
        second.open()
        for task in tasks.prefix(2) { #expect(try await task.value.status == 200) }
    }

    /// A loop that is always busy must still serve its transfers.
    @Test func httpTransfersContinueOnABusyEventLoop() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let loop = EventLoop()
        let client = HTTPClient(version: "test", loop: loop)
        let isOver = Lock(false)
        @Sendable func flood() {
            loop.run {
                if !isOver.withLock({ $0 }) { flood() }
            }
        }
        flood()
        defer { isOver.withLock { $0 = true } }
        let answer = try await client.send(HTTPRequest(url: server.origin + "/a", timeout: 20_000))
        #expect(answer.body == Array("/a".utf8))
    }

    @Test func shutdownOfTheHTTPClientFailsCurrentAndLaterRequests() async throws {
        let server = try LoopbackServer { _ in .silence }
        let client = HTTPClient(version: "test", maxTransfers: 3)
        let tasks = (0..<5).map { _ in Task { try await client.send(HTTPRequest(url: server.origin, timeout: 600_000)) }
        }
        await server.arrived(3)
        client.shutdown()
        for task in tasks { await #expect(throws: HTTPError.cancelled) { try await task.value } }
        await server.left(3)
        await #expect(throws: HTTPError.cancelled) { try await client.send(HTTPRequest(url: server.origin)) }
        client.shutdown()
    }

    /// A guest of the engine that has no socket and records the end of the engine.
    private final class EndRecorder: EngineGuestContract {
        private let note: Lock<Bool>

        init(_ note: Lock<Bool>) { self.note = note }

        var interest: (socket: Int32, isWriting: Bool)? { nil }
        var maxWait: Milliseconds? { nil }
        func willWait() {}
        func didWait() {}
        func signal() {}
        func turn() {}
        func engineEnded() { note.withLock { $0 = true } }
    }

    /// The event loop needs some time to wake up, so a shutdown that does not wait returns too early.
    @Test func shutdownOfTheHTTPClientWaitsForTheEventLoop() async throws {
        for _ in 0..<10 {
            let (loop, hasEnded) = (EventLoop(), Lock(false))
            let client = HTTPClient(version: "test", loop: loop)
            try await Task(executorPreference: loop) { _ = try client.engine.join(EndRecorder(hasEnded)) }.value
            client.shutdown()
            #expect(hasEnded.withLock { $0 })
        }
    }

    @Test func releasedClientClosesItsConnections() async throws {
        // The server receives no second request on the connection, and the client closes it.
        let server = try LoopbackServer { _ in .text("") }
        for _ in 0..<20 {
            let client = HTTPClient(version: "test")
            _ = try await client.send(HTTPRequest(url: server.origin))
        }
        #expect(server.connections == 20)
        await server.closed(20)
    }

    @Test func unusedHTTPClientShutsDown() {
        let client = HTTPClient(version: "test")
        client.shutdown()
    }
}
