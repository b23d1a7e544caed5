import Mocks
import System
import TestSupport
import Testing

@testable import HTTP
@testable import Redis

/// Tests how a connection is closed.
@Suite(.limited) struct RedisCloseTests {
    @Test func closingTheConnectionWaitsForPostedCommands() async throws {
        let gate = Gate()
        let loopback = try LoopbackRedis.greeting { _ in .held(gate, .text("+OK\r\n")) }
        let subject = try RedisSubject(loopback)
        subject.server.start(after: nil)
        await subject.connected(1)
        let posted = Watched<[String]>([])
        subject.server.post([RedisCommand("SET", "k", "v")]) { outcome in posted.change { $0.append("\(outcome)") } }
        await loopback.arrived(1, of: "SET")
        let loop = subject.http.engine.loop
        let end = Task(executorPreference: loop) { await subject.server.close(within: 600_000) }
        // The first job runs after the call of `close`, the second after the job that `close` has queued.
        for _ in 0..<2 { await Task(executorPreference: loop) {}.value }
        #expect(!subject.server.isReady)
        // Commands that arrive while the connection closes are refused.
        #expect(await subject.ask("GET", "k") == "closed")
        #expect(posted.value == [])
        gate.open()
        await end.value
        #expect(posted.value.count == 1)
        #expect(posted.value[0].hasPrefix("success"))
        await loopback.closed(1)
        #expect(await subject.ask("GET", "k") == "closed")
        await subject.server.close(within: 600_000)
    }

    @Test func closingTheConnectionTakesNoLongerThanTheTimeLimit() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .silence }
        let subject = try RedisSubject(loopback)
        let asked = Task { await subject.ask("GET", "k") }
        await loopback.arrived(1, of: "GET")
        await subject.server.close(within: 10)
        #expect(await asked.value == "closed")
        await loopback.closed(1)
    }

    @Test func closingTheServerDoesNotWaitForAConnectionAttempt() async throws {
        let loopback = try LoopbackRedis { _ in .silence }
        let subject = try RedisSubject(loopback)
        let asked = Task { await subject.ask("GET", "k") }
        await loopback.arrived(1, of: "HELLO")
        await subject.server.close(within: 600_000)
        #expect(await asked.value == "closed")
        await loopback.closed(1)
    }

    @Test func unusedServerCanBeClosed() async throws {
        let loopback = try LoopbackRedis { _ in .silence }
        let subject = try RedisSubject(loopback)
        await subject.server.close(within: 600_000)
        #expect(loopback.connections == 0)
    }

    @Test func connectionIsClosedWhenTheHTTPClientIsShutDown() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .silence }
        let subject = try RedisSubject(loopback)
        let asked = Task { await subject.ask("GET", "k") }
        await loopback.arrived(1, of: "GET")
        subject.http.shutdown()
        #expect(await asked.value == "closed")
        await loopback.closed(1)
        #expect(await subject.ask("GET", "k") == "closed")
    }

    @Test func deallocatedServerClosesItsConnection() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n") }
        let http = HTTPClient(version: "test")
        for _ in 0..<10 {
            let server = RedisServer(
                try RedisURL(loopback.url), http: http, limits: RedisSubject.patient, timer: TimerMock())
            _ = try await server.send([RedisCommand("GET", "k")])
        }
        await loopback.closed(10)
    }
}
