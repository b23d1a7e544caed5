import HTTP
import System

/// A Redis or Valkey server over one connection, which lives on the loop of the HTTP client and shares its waiting.
///
/// * Nothing is opened before `start`, or the first command. Where the connection is lost it is made again, behind, and
///   from the second failure in a row on after a pause (`Breaker`). What is sent meanwhile fails at once.
/// * It is never reached through a proxy. TLS trusts whom the HTTP client trusts.
public final class RedisServer: RedisServerContract {
    private let link: RedisLink
    private let loop: EventLoop

    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - http: on whose loop the connection lives; the end of that client ends it.
    ///   - onHealth: called on the loop when there is a reason why the server is not used, another one, or none any
    ///     more.
    public convenience init(
        _ url: RedisURL, http: HTTPClient, clock: any ClockContract = SystemClock(),
        onHealth: @escaping @Sendable (RedisHealth) -> Void = { _ in }
    ) {
        self.init(
            url, http: http, limits: RedisLimits(), timer: http.engine.loop, clock: clock, onHealth: onHealth)
    }

    /// - Parameter timer: measures the pauses.
    init(
        _ url: RedisURL, http: HTTPClient, limits: RedisLimits, timer: any TimerContract,
        clock: any ClockContract = SystemClock(), onConnection: @escaping @Sendable () -> Void = {},
        onHealth: @escaping @Sendable (RedisHealth) -> Void = { _ in }
    ) {
        loop = http.engine.loop
        link = RedisLink(
            url, engine: http.engine, limits: limits, timer: timer,
            condition: RedisCondition(clock: clock, onChange: onHealth), onConnection: onConnection)
    }

    deinit {
        if loop.hasBegun { loop.run { [link] in link.end() } }
    }

    public var isReady: Bool { link.condition.isReady.load(ordering: .acquiring) }

    public var health: RedisHealth { link.condition.health }

    public func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue] {
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<RedisLink.Outcome, Never>) in
            ask(commands, waits: true) { continuation.resume(returning: $0) }
        }
        return try outcome.get()
    }

    public func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        ask(commands, waits: true, then)
    }

    public func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void) {
        ask(commands, waits: false, then)
    }

    public func start(after rest: RedisBackoff?) {
        if loop.isCurrent { return link.start(after: rest) }
        if loop.isReady { loop.run { [link] in link.start(after: rest) } }
    }

    public func close(within limit: Int) async {
        // Where nothing has run on the loop, nothing is open.
        guard loop.hasBegun, loop.isReady else { return }
        await withCheckedContinuation { continuation in
            loop.run { [link] in link.close(within: limit) { continuation.resume() } }
        }
    }

    private func ask(_ commands: [RedisCommand], waits: Bool, _ then: @escaping RedisLink.Completion) {
        switch link.line.send(commands, isWaited: waits, then) {
        case .sent: return
        case .broken: return loop.run { [link] in link.loseBrokenLine() }
        case .refused: break
        }
        if loop.isCurrent { return link.ask(commands, waits: waits, then) }
        guard loop.isReady else { return then(.failure(.notConnected)) }
        loop.run { [link] in link.ask(commands, waits: waits, then) }
    }
}
