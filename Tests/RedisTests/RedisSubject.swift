import Mocks
import System
import TestSupport

@testable import HTTP
@testable import Redis

/// A client of a loopback server, with generous time limits by default.
struct RedisSubject: Sendable {
    static let patient = RedisLimits(connect: 3_600_000, silence: 3_600_000, total: 3_600_000)

    let http = HTTPClient(version: "test")
    let timer = TimerMock()
    let server: RedisServer
    /// The number of successful connections.
    let connected = Watched(0)
    /// The reasons for faults in order; nil for each recovery.
    let reasons = Watched<[String?]>([])

    init(_ url: String, limits: RedisLimits = patient) throws {
        server = RedisServer(
            try RedisURL(url), http: http, limits: limits, timer: timer,
            onConnection: { [connected] in connected.change { $0 += 1 } },
            onHealth: { [reasons] health in reasons.change { $0.append(health.reason) } })
    }

    init(_ server: LoopbackRedis, limits: RedisLimits = patient) throws { try self.init(server.url, limits: limits) }

    /// Sends a command. Returns the reply as a string, or the description of the error.
    func ask(_ words: String...) async -> String {
        do throws(RedisError) {
            return try await server.send([RedisCommand(words.map { Array($0.utf8) })]).map { $0.shown }.joined()
        } catch {
            return "\(error)"
        }
    }

    /// Waits until the number of successful connections is at least `count`.
    func connected(_ count: Int) async { await connected.wait { $0 >= count } }
}

extension RESPValue {
    /// The content of a string reply; a description of any other reply.
    var shown: String {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { "\(self)" }
    }
}
