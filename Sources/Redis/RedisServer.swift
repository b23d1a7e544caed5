import HTTP
import System

/// A client of a Redis or Valkey server. It uses one connection, which runs on the event loop of the HTTP client.
///
/// * The client connects at `start` or at the first command. After a loss it reconnects in the background. From the
///   second failure in a row on, it pauses before each connection attempt (`CircuitBreaker`). Without a connection,
///   commands fail immediately.
/// * The client never uses a proxy. TLS trusts the same certificate authorities as the HTTP client.
public final class RedisServer: RedisServerContract {
    private let link: RedisLink
    private let loop: EventLoop

    /// Creates a client without a connection.
    ///
    /// - Parameters:
    ///   - http: the HTTP client whose event loop the connection uses. When that client closes, the connection closes.
    ///   - onHealth: called on the event loop when `RedisHealth.reason` changes.
    public convenience init(
        _ url: RedisURL, http: HTTPClient, clock: any ClockContract = SystemClock(),
        onHealth: @escaping @Sendable (RedisHealth) -> Void = { _ in }
    ) {
        self.init(
            url, http: http, limits: RedisLimits(), timer: http.engine.loop, clock: clock, onHealth: onHealth)
    }

    /// Creates a client with the given time limits, but without a connection.
    ///
    /// - Parameter timer: measures the pauses between connection attempts.
    init(
        _ url: RedisURL, http: HTTPClient, limits: RedisLimits, timer: any TimerContract,
        clock: any ClockContract = SystemClock(), onConnection: @escaping @Sendable () -> Void = {},
        onHealth: @escaping @Sendable (RedisHealth) -> Void = { _ in }
    ) {
        loop = http.engine.loop
        link = RedisLink(
            url, engine: http.engine, limits: limits, timer: timer,
            condition: RedisHealthMonitor(clock: clock, onChange: onHealth), onConnection: onConnection)
    }

    deinit {
        if loop.hasBegun { loop.run { [link] in link.end() } }
    }

    public var isReady: Bool { link.condition.isReady.load(ordering: .acquiring) }

    public var health: RedisHealth { link.condition.health }

    public func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue] {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<RedisLink.Outcome, Never>) in
            send(commands, waits: true) { continuation.resume(returning: $0) }
        }
        return try outcome.get()
    }

    public func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        send(commands, waits: true, then)
    }

    public func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        send(commands, waits: false, then)
    }

    public func start(after backoff: RedisBackoff?) {
        if loop.isCurrent { return link.start(after: backoff) }
        if loop.isReady { loop.run { [link] in link.start(after: backoff) } }
    }

    public func close(within limit: Milliseconds) async {
        // If the event loop has run no jobs, there is no open connection.
        guard loop.hasBegun, loop.isReady else { return }
        await withCheckedContinuation { continuation in
            loop.run { [link] in link.close(within: limit) { continuation.resume() } }
        }
    }

    private func send(_ commands: [RedisCommand], waits: Bool, _ then: @escaping RedisLink.Completion) {
        switch link.line.send(commands, isWaited: waits, then) {
        case .sent: return
        case .broken: return loop.run { [link] in link.loseBrokenLine() }
        case .refused: break
        }
        if loop.isCurrent { return link.send(commands, waits: waits, then) }
        guard loop.isReady else { return then(.failure(.notConnected)) }
        loop.run { [link] in link.send(commands, waits: waits, then) }
    }
}
