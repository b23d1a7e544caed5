import System

/// A Redis or Valkey server that executes commands in the order in which they are sent.
public protocol RedisServerContract: AnyObject, Sendable {
    /// Whether the connection is ready to send a command immediately. Reading this property never blocks.
    var isReady: Bool { get }

    /// Sends commands together and waits for all replies. The first call waits up to 100 ms until the connection is
    /// open. After a lost connection, calls fail immediately until the client has reconnected.
    ///
    /// - Throws: `RedisError` if not all replies have arrived.
    func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue]

    /// Sends commands together and returns at once, for callers that do not run in a task. If the first connection is
    /// not open yet, the commands wait for it.
    ///
    /// - Parameter then: called once on the event loop, with the replies or the error.
    func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Sends commands and returns at once. Unlike `send`, does not wait for the first connection: without an open
    /// connection, the commands fail.
    ///
    /// - Parameter then: called once on the event loop, with the replies or the error.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Starts to connect, unless a connection attempt was already started.
    ///
    /// - Parameter backoff: a pause before the first attempt; nil to connect immediately.
    func start(after backoff: RedisBackoff?)

    var health: RedisHealth { get }

    /// Waits until the server has answered all sent commands, for at most `limit` milliseconds. Then closes the
    /// connection.
    func close(within limit: Milliseconds) async
}
