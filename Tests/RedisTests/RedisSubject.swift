import Mocks
import System
import TestSupport

@testable import HTTP
@testable import Redis

/// A client of a loopback server that has as much time as it needs, where a test gives it no less.
struct RedisSubject: Sendable {
    static let patient = RedisLimits(connect: 3_600_000, silence: 3_600_000, total: 3_600_000)

    let http = HTTPClient(version: "test")
    let timer = TimerMock()
    let server: RedisServer
    /// How often a connection stood.
    let connected = Watched(0)
    /// Why it was not used, one after the other; nil where it was again.
    let reasons = Watched<[String?]>([])

    init(_ url: String, limits: RedisLimits = patient) throws {
        server = RedisServer(
            try RedisURL(url), http: http, limits: limits, timer: timer,
            onConnection: { [connected] in connected.change { $0 += 1 } },
            onHealth: { [reasons] health in reasons.change { $0.append(health.reason) } })
    }

    init(_ server: LoopbackRedis, limits: RedisLimits = patient) throws { try self.init(server.url, limits: limits) }

    /// The text that is replied to a command; what it is instead in words.
    func ask(_ words: String...) async -> String {
        do throws(RedisError) {
            return try await server.send([RedisCommand(words.map { Array($0.utf8) })]).map { $0.shown }.joined()
        } catch {
            return "\(error)"
        }
    }

    /// Waits until a connection stood so often.
    func connected(_ count: Int) async { await connected.wait { $0 >= count } }
}

extension RESPValue {
    /// A text as it is, and anything else in words.
    var shown: String {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { "\(self)" }
    }
}
