import TestSupport
import Testing

@testable import Redis

/// Tests the first commands to a server, and how its replies are understood.
@Suite(.limited) struct RedisGreetingTests {
    private static func greeting(_ url: String = "redis://u:hunter2@cache/3") throws -> RedisGreeting {
        RedisGreeting(url: try RedisURL(url))
    }

    private static func hello(_ members: [(String, String)]) -> RESPValue {
        .map(members.flatMap { [.text(Array($0.0.utf8)), .text(Array($0.1.utf8))] })
    }

    @Test(arguments: [
        ("redis://cache", [["HELLO", "3", "SETNAME", "larder"], ["PING"]]),
        ("redis://:p@cache", [["HELLO", "3", "AUTH", "default", "p", "SETNAME", "larder"], ["PING"]]),
        ("redis://u@cache/0", [["HELLO", "3", "AUTH", "u", "", "SETNAME", "larder"], ["PING"]]),
        ("redis://u:p@cache/7", [["HELLO", "3", "AUTH", "u", "p", "SETNAME", "larder"], ["SELECT", "7"], ["PING"]]),
    ]) func greetingContainsUserAndDatabase(_ url: String, _ words: [[String]]) throws {
        #expect(
            try Self.greeting(url).commands == words.map { words in RedisCommand(words.map { Array($0.utf8) }) })
    }

    @Test(arguments: [
        ("redis", "7.0.15", "master", false), ("valkey", "8.1.0", "master", false),
        ("redis", "10.2.0", "replica", true),
        ("redis", "255.255.255", "slave", true),
    ]) func supportedRedisIsAccepted(_ server: String, _ version: String, _ role: String, _ isReplica: Bool) throws {
        let hello = Self.hello([("server", server), ("version", version), ("mode", "standalone"), ("role", role)])
        #expect(try Self.greeting().facts([hello]) == .init(version: version, isReplica: isReplica))
    }

    @Test(arguments: ["7.2.4-hunter2", "7.2.4hunter2", "7.2.4.hunter2", "7.2.4 hunter2", "7.2.4\u{1B}[1m"])
    func redisVersionIsReportedOnlyAsNumbers(_ version: String) throws {
        #expect(try Self.greeting().facts([Self.hello([("version", version)])]).version == "7.2.4")
    }

    @Test(arguments: ["77777777", "7.hunter2.1", "7", "7.2", "7.2.hunter2", "7777.1.1", "7.-2.1", "+7.2.1", ".7.2", ""])
    func versionWithoutNumbersIsRefused(_ version: String) throws {
        let greeting = try Self.greeting()
        #expect(throws: RedisGreeting.Refusal.self) { _ = try greeting.facts([Self.hello([("version", version)])]) }
    }

    @Test(arguments: [
        ([("version", "6.2.14"), ("mode", "standalone")], "too old"),
        ([("version", "x"), ("mode", "standalone")], "too old"),
        ([("version", "7.2.0"), ("mode", "cluster")], "Cluster"),
        ([("mode", "standalone")], "not a Redis server"),
    ]) func unsupportedRedisServerIsRefused(_ members: [(String, String)], _ part: String) throws {
        let greeting = try Self.greeting()
        let refusal = #expect(throws: RedisGreeting.Refusal.self) { _ = try greeting.facts([Self.hello(members)]) }
        #expect(refusal?.reason.contains(part) == true)
        #expect(throws: RedisGreeting.Refusal.self) { _ = try greeting.facts([.text([1])]) }
    }

    /// An old server quotes the command, and a hostile server may reply with any text.
    @Test(arguments: [
        ("WRONGPASS invalid username-password pair or user is disabled.", "user or the password"),
        ("NOAUTH HELLO must be called with the client already authenticated", "asks for a password"),
        ("NOPERM this user has no permissions to run the 'hunter2' command", "ACL lacks +hello;"),
        ("NOPROTO unsupported protocol version", "too old"),
        ("ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `u`, `hunter2`, ", "too old"),
        ("ERR DB index is out of range", "no database 3"),
        ("ERR max number of clients reached", "too many clients"),
        ("ERR hunter2", "with the error ERR"),
        ("LOADING Redis is loading the dataset in memory", "loading"),
        ("DENIED Redis is running in protected mode because", "protected mode"),
        ("MASTERDOWN Link with MASTER is down", "primary"),
        ("MOVED 1 127.0.0.1:1", "Cluster"),
        ("HUNTER", "with an unknown error"),
        ("hunter2", "with an unknown error"),
        ("", "with an unknown error"),
    ]) func errorReplyDeterminesTheReason(_ message: String, _ part: String) throws {
        let code = String(message.prefix { $0 != " " })
        let refusal = try Self.greeting().refusal([.error(code: code, message: message)])
        #expect(refusal?.reason.contains(part) == true)
        #expect(refusal?.reason.lowercased().contains("hunter") == false)
    }

    @Test func firstGreetingErrorIsReported() throws {
        let replies: [RESPValue] = [
            .map([]), .error(code: "NOPERM", message: "NOPERM"), .error(code: "LOADING", message: "LOADING"),
        ]
        #expect(try Self.greeting().refusal(replies)?.reason.contains("ACL") == true)
        #expect(try Self.greeting().refusal([.map([])]) == nil)
    }
}
