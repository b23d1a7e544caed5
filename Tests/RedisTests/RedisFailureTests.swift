import Mocks
import System
import TestSupport
import Testing

@testable import Redis

/// Tests lost connections and new connection attempts.
@Suite(.limited) struct RedisFailureTests {
    @Test func connectionToASilentRedisServerIsClosed() async throws {
        let loopback = try LoopbackRedis.greeting { $0.connection == 1 ? .silence : .text("+OK\r\n") }
        var limits = RedisSubject.patient
        limits.silence = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        let other = Task {
            await loopback.arrived(1, of: "GET")
            return await subject.ask("GET", "b")
        }
        #expect(await subject.ask("GET", "a") == #"lost("no reply within 1000 ms")"#)
        _ = await other.value
        await loopback.closed(1)
        await subject.connected(2)
        #expect(await subject.ask("GET", "c") == "OK")
        #expect(subject.reasons.value == ["no reply within 1000 ms", nil])
        #expect(subject.server.health.failures == 1)
        #expect(subject.server.health.reason == nil)
        #expect(subject.server.health.since == nil)
    }

    /// The second command is sent while the loop waits for events. Only the time limit ends that wait.
    @Test func connectionIsClosedIfTheServerStopsReplying() async throws {
        let loopback = try LoopbackRedis.greeting { $0.words[1] == "a" ? .text("+OK\r\n") : .silence }
        var limits = RedisSubject.patient
        limits.silence = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        #expect(await subject.ask("GET", "a") == "OK")
        #expect(await subject.ask("GET", "b") == #"lost("no reply within 1000 ms")"#)
        #expect(subject.reasons.value.first == "no reply within 1000 ms")
    }

    /// A server that exceeds the total time limit is not tried again at once, even if it has answered some commands in
    /// time.
    @Test func slowRedisServerOpensTheCircuitBreakerAtOnce() async throws {
        let loopback = try LoopbackRedis.greeting { $0.words[1] == "a" ? .text("+OK\r\n") : .silence }
        var limits = RedisSubject.patient
        limits.total = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        let outcomes = Watched<[String]>([])
        subject.server.start(after: nil)
        await subject.connected(1)
        subject.server.post(["a", "b"].map { RedisCommand("GET", $0) }) { outcome in
            outcomes.change { $0.append("\(outcome)") }
        }
        await outcomes.wait { !$0.isEmpty }
        #expect(outcomes.value.first?.contains("the Redis server did not send all replies within 1000 ms") == true)
        #expect(subject.reasons.value.first == "the Redis server did not send all replies within 1000 ms")
        #expect(subject.timer.alarms == [1000] && subject.server.health.isBackingOff)
    }

    @Test func incompleteReplyTimesOut() async throws {
        let loopback = try LoopbackRedis.greeting { _ in
            .text("$1000000\r\n" + String(repeating: "x", count: 900_000))
        }
        var limits = RedisSubject.patient
        limits.total = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        #expect(await subject.ask("GET", "a") == #"lost("the Redis server did not send all replies within 1000 ms")"#)
        await loopback.closed(1)
        await subject.timer.alarm(in: 1000)
        #expect(subject.timer.alarms == [1000])
    }

    /// Push messages are not part of a reply and do not extend its time limit.
    @Test func pushMessagesDoNotExtendTheReplyTimeout() async throws {
        let pushed = ">1\r\n$1000\r\n" + String(repeating: "x", count: 1000) + "\r\n"
        let loopback = try LoopbackRedis.greeting { _ in .text(String(repeating: pushed, count: 1000)) }
        var limits = RedisSubject.patient
        limits.silence = 1000
        let subject = try RedisSubject(loopback, limits: limits)
        #expect(await subject.ask("GET", "a") == #"lost("no reply within 1000 ms")"#)
    }

    @Test func endlessPushMessagesEndTheConnection() async throws {
        let pushed = ">1\r\n$100000\r\n" + String(repeating: "x", count: 100_000) + "\r\n"
        let loopback = try LoopbackRedis.greeting { command in
            .text((command.words[1] == "first" ? "+OK\r\n" : "") + String(repeating: pushed, count: 200))
        }
        for isAwaited in [true, false] {
            let subject = try RedisSubject(loopback)
            let reply = await subject.ask("GET", isAwaited ? "a" : "first")
            #expect(isAwaited ? reply.contains("bytes of memory") : reply == "OK")
            await subject.reasons.wait { !$0.isEmpty }
            #expect(subject.reasons.value.first??.contains("bytes of memory") == true)
            // The reason is reported before the timer is set.
            if !isAwaited { await subject.timer.alarm(in: 1000) }
            #expect(subject.timer.alarms == (isAwaited ? [] : [1000]), "unrequested data opens the breaker")
        }
    }

    @Test func callersWaitOnlyForTheFirstConnection() async throws {
        let (first, second) = (Gate(), Gate())
        let loopback = try LoopbackRedis { command in
            guard command.words.first == "HELLO" else {
                return LoopbackRedis.usual(command) ?? (command.connection == 1 ? .close : .text("+OK\r\n"))
            }
            return .held(command.connection == 1 ? first : second, .text(LoopbackRedis.hello()))
        }
        let subject = try RedisSubject(loopback)
        let waiting = Task { await subject.ask("GET", "a") }
        await loopback.arrived(1, of: "HELLO")
        // Posted commands do not wait for the connection.
        #expect(await Self.post("b", subject).contains("notConnected"))
        first.open()
        #expect(await waiting.value == #"lost("the Redis server closed the connection; see its log")"#)
        await loopback.arrived(2, of: "HELLO")
        // The loop runs jobs in order, so that this command is sent before the connection is ready.
        let late = Task(executorPreference: subject.http.engine.loop) { await subject.ask("GET", "c") }
        #expect(await Self.post("c", subject).contains("notConnected"))
        #expect(!subject.server.isReady)
        second.open()
        #expect(await late.value == "notConnected")
        await subject.connected(2)
        #expect(await subject.ask("GET", "d") == "OK")
        #expect(loopback.commands.map(\.words).filter { $0.first == "GET" } == [["GET", "a"], ["GET", "d"]])
    }

    private static func post(_ key: String, _ subject: RedisSubject) async -> String {
        let outcomes = Watched<[String]>([])
        subject.server.post([RedisCommand("GET", key)]) { outcome in outcomes.change { $0.append("\(outcome)") } }
        await outcomes.wait { !$0.isEmpty }
        return outcomes.value.joined()
    }

    @Test func waitingCallersFailIfTheFirstConnectionFails() async throws {
        let gate = Gate()
        let loopback = try LoopbackRedis { _ in .held(gate, .close) }
        let subject = try RedisSubject(loopback)
        let waiting = (0..<3).map { number in Task { await subject.ask("GET", "\(number)") } }
        await loopback.arrived(1, of: "HELLO")
        gate.open()
        for task in waiting { #expect(await task.value == "notConnected") }
        #expect(await subject.ask("GET", "late") == "notConnected")
    }

    @Test func slowGreetingTimesOut() async throws {
        let loopback = try LoopbackRedis { _ in .silence }
        var limits = RedisSubject.patient
        limits.connect = 100
        let subject = try RedisSubject(loopback, limits: limits)
        #expect(await subject.ask("GET", "a") == "notConnected")
        await subject.reasons.wait { !$0.isEmpty }
        #expect(subject.server.health.reason?.contains("within 100 ms") == true)
        #expect(!subject.server.health.wasReached)
    }

    /// A pause follows each failure from the second one on, until the server has answered a command.
    @Test func repeatedFailureStartsAPause() async throws {
        let loopback = try LoopbackRedis.greeting { $0.words[1] == "good" ? .text("+OK\r\n") : .close }
        let subject = try RedisSubject(loopback)
        let lost = #"lost("the Redis server closed the connection; see its log")"#
        #expect(await subject.ask("GET", "bad") == lost)
        await subject.connected(2)
        #expect(subject.timer.alarms == [])
        #expect(await subject.ask("GET", "bad") == lost)
        #expect(subject.timer.alarms == [1000])
        #expect(subject.server.health.isBackingOff)
        for _ in 0..<10 { #expect(await subject.ask("GET", "good") == "notConnected") }
        subject.timer.advance(milliseconds: 999)
        #expect(await subject.ask("GET", "good") == "notConnected")
        #expect(loopback.connections == 2)
        // A connection alone does not reset the pauses.
        subject.timer.advance(milliseconds: 1)
        await subject.connected(3)
        #expect(!subject.server.health.isBackingOff)
        #expect(await subject.ask("GET", "bad") == lost)
        #expect(subject.timer.alarms == [1000, 2000])
        subject.timer.advance(milliseconds: 2000)
        await subject.connected(4)
        #expect(await subject.ask("GET", "good") == "OK")
        #expect(await subject.ask("GET", "bad") == lost)
        await subject.connected(5)
        #expect(subject.timer.alarms == [1000, 2000])
    }

    @Test func refusedRedisConnectionIsReported() async throws {
        let loopback = try LoopbackRedis { _ in .close }
        let port = loopback.port
        loopback.stop()
        let subject = try RedisSubject("redis://127.0.0.1:\(port)")
        // The listener stops a moment after the call. Until then it accepts a connection and closes it.
        #expect(await subject.ask("GET", "a") == "notConnected")
        await subject.reasons.wait { $0.count >= 1 }
        #expect(subject.server.health.wasReached == false)
        let nowhere = try RedisSubject("unix:///nowhere/redis.sock")
        #expect(await nowhere.ask("GET", "a") == "notConnected")
        #expect(nowhere.server.health.reason?.contains("cannot connect") == true)
    }

    @Test(arguments: [
        ("-WRONGPASS invalid username-password pair\r\n", "user or the password"),
        ("-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `u`, `hunter2`, \r\n", "too old"),
        ("-LOADING Redis is loading the dataset in memory\r\n", "loading"),
        (LoopbackRedis.hello(mode: "cluster"), "Cluster"),
        (LoopbackRedis.hello(version: "6.2.7"), "too old"),
        ("+OK\r\n", "not a Redis server"),
        ("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "not a Redis server"),
        ("$9999999999\r\n", "not a Redis server"),
        ("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F\n", "not a Redis server"),
    ]) func unusableServerIsReported(_ reply: String, _ part: String) async throws {
        for isLast in [false, true] {
            let loopback = try LoopbackRedis { command in
                guard command.words.first == "HELLO" else { return LoopbackRedis.usual(command) ?? .close }
                return isLast ? .last(reply) : .text(reply)
            }
            let subject = try RedisSubject("redis://u:hunter2@127.0.0.1:\(loopback.port)")
            #expect(await subject.ask("GET", "a") == "notConnected")
            let reason = try #require(subject.server.health.reason)
            #expect(!reason.contains("hunter2"))
            // A reply before the end of the connection is the reason only if it is a refusal.
            if !isLast || reply.hasPrefix("-") { #expect(reason.contains(part), "\(reason)") }
            #expect(!loopback.commands.contains { $0.words.first == "GET" })
        }
    }

    @Test func invalidReplyEndsTheConnection() async throws {
        for reply in ["$16777217\r\n", "*1000000\r\n", "*?\r\n", "\r\n", "nonsense\r\n"] {
            let loopback = try LoopbackRedis.greeting { _ in .text(reply) }
            let subject = try RedisSubject(loopback)
            #expect(await subject.ask("GET", "a").contains("invalid Redis reply"))
            await loopback.closed(1)
        }
    }

    @Test func unexpectedReplyEndsTheConnection() async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("+OK\r\n+more\r\n") }
        let subject = try RedisSubject(loopback)
        #expect(await subject.ask("GET", "a") == "OK")
        await subject.reasons.wait { !$0.isEmpty }
        #expect(subject.reasons.value.first == "the server sent a reply that was not requested; check its address")
        await loopback.closed(1)
    }

    /// After a refused greeting, a pause follows at once. Otherwise, the second failure starts the pause.
    @Test(
        arguments: [
            ("-WRONGPASS invalid username-password pair\r\n", false, 1), ("-NOPERM no\r\n", true, 1),
            (LoopbackRedis.hello(mode: "cluster"), false, 1), ("$9999999999\r\n", false, 2), ("", true, 2),
        ])
    func refusedGreetingStartsAPause(reply: String, isLast: Bool, connections: Int) async throws {
        let loopback = try LoopbackRedis { command in
            guard command.words.first == "HELLO" else { return LoopbackRedis.usual(command) ?? .close }
            return isLast ? .last(reply) : .text(reply)
        }
        let subject = try RedisSubject(loopback)
        for _ in 1...2 { #expect(await subject.ask("GET", "a") == "notConnected") }
        await subject.timer.alarm(in: 1000)
        #expect(loopback.connections == connections)
    }

    @Test(arguments: ["MOVED 3999 127.0.0.1:6381", "ASK 3999 127.0.0.1:6381", "CROSSSLOT keys"])
    func redirectingServerIsNotUsed(error: String) async throws {
        let loopback = try LoopbackRedis.greeting { _ in .text("-\(error)\r\n") }
        let subject = try RedisSubject(loopback)
        #expect(await subject.ask("GET", "a").contains("Redis Cluster"))
        #expect(subject.timer.alarms == [1000])
        #expect(subject.server.health.reason == RedisGreeting.cluster)
    }
}
