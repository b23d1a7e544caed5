import Mocks
import System
import TestSupport
import Testing

@testable import HTTP
@testable import Redis

/// Tests commands and replies over real sockets.
@Suite(.limited) struct RedisServerTests {
    @Test func connectionOpensAtTheFirstCommand() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n") }
        let subject = try RedisSubject(loopback)
        #expect(!subject.server.isReady)
        #expect(subject.server.health == RedisHealth())
        #expect(await subject.ask("GET", "k") == "OK")
        #expect(subject.server.isReady)
        #expect(loopback.connections == 1)
        #expect(subject.server.health.version == "7.0.15")
        #expect(subject.server.health.wasReached)
        #expect(subject.reasons.value == [])
    }

    @Test func redisGreetingIsSentFirst() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n") }
        let subject = try RedisSubject("redis://u:p@127.0.0.1:\(loopback.port)/2")
        #expect(await subject.ask("GET", "k") == "OK")
        #expect(
            loopback.commands.map(\.words) == [
                ["HELLO", "3", "AUTH", "u", "p", "SETNAME", "larder"], ["SELECT", "2"], ["PING"], ["GET", "k"],
            ])
    }

    /// The server sends no reply before it has received all commands.
    @Test func redisCommandsArePipelined() async throws {
        let loopback = try LoopbackRedis.greeting { command in
            command.words == ["GET", "last"] ? .text("+1\r\n+2\r\n+3\r\n+4\r\n") : .silence
        }
        let subject = try RedisSubject(loopback)
        let two = Task { try await subject.server.send([RedisCommand("GET", "a"), RedisCommand("GET", "b")]) }
        await loopback.arrived(2, of: "GET")
        let one = Task { await subject.ask("GET", "c") }
        await loopback.arrived(3, of: "GET")
        #expect(await subject.ask("GET", "last") == "4")
        #expect(try await two.value.map(\.shown) == ["1", "2"])
        #expect(await one.value == "3")
    }

    @Test func concurrentCallersGetTheirOwnReplies() async throws {
        let loopback = try LoopbackRedis.greeting { .text(LoopbackRedis.bulk($0.words[1])) }
        let subject = try RedisSubject(loopback)
        let replies = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 { group.addTask { await subject.ask("ECHO", "\(number)") == "\(number)" } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies == Array(repeating: true, count: 300))
        #expect(loopback.connections == 1)
    }

    @Test func replyMayBeSplitAndMixedWithPushMessages() async throws {
        let loopback = try LoopbackRedis.greeting { _ in
            .packets([">2\r\n+inva", "lidate\r\n_\r\n$1", "0\r", "\n01234", "56789\r", "\n>1\r\n:1\r\n"])
        }
        let subject = try RedisSubject(loopback)
        for _ in 0..<20 { #expect(await subject.ask("GET", "k") == "0123456789") }
        #expect(loopback.connections == 1)
    }

    @Test func errorReplyIsReturned() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("-OOM command not allowed\r\n") }
        let subject = try RedisSubject(loopback)
        let replies = try await subject.server.send([RedisCommand("SET", "k", "v")])
        #expect(replies == [.error(code: "OOM", message: "OOM command not allowed")])
        #expect(subject.server.isReady)
    }

    @Test func emptyBatchNeedsNoServer() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n") }
        let subject = try RedisSubject(loopback)
        #expect(try await subject.server.send([]) == [])
    }

    /// The value exceeds the socket buffers, so that each side has to wait for the other.
    @Test func largeValueRoundTrips() async throws {
        let loopback = try LoopbackRedis.greeting { .text(LoopbackRedis.bulk($0.words[1])) }
        let subject = try RedisSubject(loopback)
        let large = String(repeating: "larder ", count: 1 << 20)
        async let first = subject.ask("ECHO", large)
        async let second = subject.ask("ECHO", "small")
        #expect(await first == large)
        #expect(await second == "small")
    }

    @Test func batchThatExceedsTheBacklogLimitIsNotSent() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n") }
        var limits = RedisSubject.patient
        limits.backlog = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        let most = String(repeating: "x", count: 1000 - RedisCommand("SET", "").size)
        #expect(await subject.ask("SET", most + "x") == "noRoom")
        #expect(await subject.ask("SET", "small") == "OK")
        #expect(loopback.connections == 1)
        // The first batch waits for the connection, so another thread cannot send it directly.
        #expect(try await RedisSubject(loopback, limits: limits).ask("SET", most) == "OK")
    }

    @Test func httpRequestsContinueOnTheSameLoop() async throws {
        let gate = Gate()
        let api = try LoopbackServer { $0.target == "/held" ? .held(gate, .text("held")) : .text($0.target) }
        let loopback = try LoopbackRedis.greeting { .text(LoopbackRedis.bulk($0.words[1])) }
        let subject = try RedisSubject(loopback)
        let held = Task {
            try await subject.http.send(HTTPRequest(url: api.origin + "/held", timeout: 600_000)).body
        }
        await api.arrived(1)
        for number in 0..<20 {
            #expect(await subject.ask("ECHO", "\(number)") == "\(number)")
            let answer = try await subject.http.send(HTTPRequest(url: api.origin + "/\(number)", timeout: 600_000))
            #expect(answer.body == Array("/\(number)".utf8))
        }
        gate.open()
        #expect(try await held.value == Array("held".utf8))
    }
}
