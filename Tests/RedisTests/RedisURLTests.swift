import System
import TestSupport
import Testing

@testable import HTTP
@testable import Redis

/// Tests valid and invalid URLs of a Redis server.
@Suite(.limited) struct RedisURLTests {
    private struct Parts: Sendable {
        let text: String
        let place: CurlSocket.Place
        var user: String?
        var password: String?
        var database = 0
        let shown: String
    }

    private static let urls = [
        Parts(text: "redis://cache", place: .host("cache", port: 6379, isSecure: false), shown: "redis://cache"),
        Parts(text: "REDIS://cache/", place: .host("cache", port: 6379, isSecure: false), shown: "redis://cache/"),
        Parts(
            text: "redis://10.0.0.1:7000/3", place: .host("10.0.0.1", port: 7000, isSecure: false), database: 3,
            shown: "redis://10.0.0.1:7000/3"),
        Parts(
            text: "rediss://cache.example:6380/0", place: .host("cache.example", port: 6380, isSecure: true),
            shown: "rediss://cache.example:6380/0"),
        Parts(
            text: "redis://cache:65535/999999999", place: .host("cache", port: 65_535, isSecure: false),
            database: 999_999_999, shown: "redis://cache:65535/999999999"),
        Parts(
            text: "redis://[::1]", place: .host("[::1]", port: 6379, isSecure: false), shown: "redis://[::1]"),
        Parts(
            text: "redis://u:p@[fe80::1]:1/2", place: .host("[fe80::1]", port: 1, isSecure: false), user: "u",
            password: "p", database: 2, shown: "redis://[fe80::1]:1/2"),
        Parts(
            text: "redis://user@cache", place: .host("cache", port: 6379, isSecure: false), user: "user",
            shown: "redis://cache"),
        Parts(
            text: "redis://:pass@cache", place: .host("cache", port: 6379, isSecure: false), password: "pass",
            shown: "redis://cache"),
        Parts(
            text: "redis://user:@cache", place: .host("cache", port: 6379, isSecure: false), user: "user",
            shown: "redis://cache"),
        Parts(
            text: "redis://us%3Aer:p%40s%2Fs%25@cache", place: .host("cache", port: 6379, isSecure: false),
            user: "us:er", password: "p@s/s%", shown: "redis://cache"),
        // Characters that should be encoded are accepted if the meaning is unambiguous.
        Parts(
            text: "redis://user:a:b@c@cache", place: .host("cache", port: 6379, isSecure: false), user: "user",
            password: "a:b@c", shown: "redis://cache"),
        Parts(text: "unix:///run/redis.sock", place: .path("/run/redis.sock"), shown: "unix:///run/redis.sock"),
        Parts(
            text: "unix:///run/a%20b?db=15", place: .path("/run/a b"), database: 15,
            shown: "unix:///run/a%20b?db=15"),
        Parts(
            text: "unix://user:pw@/run/redis.sock?db=0", place: .path("/run/redis.sock"), user: "user",
            password: "pw", shown: "unix:///run/redis.sock?db=0"),
    ]

    /// The system's limit for the path of a socket includes the NUL at its end.
    @Test func socketPathMayBeAsLongAsTheSystemAllows() throws {
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        let longest = "/" + String(repeating: "x", count: limit - 1)
        #expect(try RedisURL("unix://\(longest)").place == .path(FilePath(longest)))
        let fault = #expect(throws: RedisURLFault.self) { try RedisURL("unix://\(longest)x") }
        #expect(
            fault?.message
                == "the path of the socket must have at most \(limit) bytes, the system's limit; use a shorter path")
    }

    @Test(arguments: urls) private func validRedisURLIsParsed(_ expected: Parts) throws {
        let url = try RedisURL(expected.text)
        #expect(url.place == expected.place)
        #expect(url.user == expected.user)
        #expect(url.password == expected.password)
        #expect(url.database == expected.database)
        #expect(url.shown == expected.shown)
    }

    @Test(arguments: [
        ("", "must begin with"), ("cache:6379", "must begin with"), ("hunter2", "must begin with"),
        ("http://u:hunter2@cache", "must begin with"), ("hunter2://cache", "must begin with"),
        ("redis://", "no host"), ("redis:///0", "no host"), ("redis://u:hunter2@", "no host"),
        ("redis://u:hunter2@:6379", "no host"),
        ("redis://cache:", "port"), ("redis://cache:0", "port"), ("redis://cache:65536", "port"),
        ("redis://cache:hunter2", "port"), ("redis://cache:-1", "port"), ("redis://cache:99999999999999999999", "port"),
        ("redis://u:hun/ter2@cache", "before an @"), ("redis://u:hun?ter2@cache", "before an @"),
        ("redis://u:hun#ter2@cache", "fragment"), ("redis://cache/hunter2", "database"),
        ("redis://cache/0/1", "database"), ("redis://cache/-1", "database"), ("redis://cache/9999999999", "database"),
        ("redis://cache/0?db=hunter2", "query"), ("redis://cache?db=1", "query"),
        ("redis://ca%20che", "character"), ("redis://[::1", "IPv6"), ("redis://[]", "IPv6"), ("redis://[:]", "IPv6"),
        ("redis://[g::]", "IPv6"),
        ("redis://[::1]6379", "port"), ("redis://a b", "spaces"), ("redis://cache\n", "spaces"),
        ("redis://c\u{e4}che", "ASCII"),
        ("unix://run/redis.sock", "three slashes"), ("unix://", "no socket path"), ("unix:///", "no socket path"),
        ("unix:///run/a%00b", "NUL"), ("unix:///run/s?db=", "db="), ("unix:///run/s?password=hunter2", "db="),
        ("unix:///\(String(repeating: "x", count: 200))", "at most 107 bytes"),
    ]) func invalidURLIsReportedWithoutTheSecret(_ text: String, _ part: String) {
        do throws(RedisURLFault) {
            Issue.record("taken: \(try RedisURL(text))")
        } catch {
            #expect(error.message.contains(part), "\(error.message)")
            #expect(!error.message.contains("hun") && !error.message.contains("ter2"))
        }
    }
}
