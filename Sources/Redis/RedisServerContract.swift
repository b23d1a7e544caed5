/// A Redis or Valkey server that executes commands in the order in which they are sent.
public protocol RedisServerContract: AnyObject, Sendable {
    /// Whether a command would be sent immediately. Reading it never blocks.
    var isReady: Bool { get }

    /// Sends commands together and waits for all replies. Waits for the very first connection, for at most 100 ms.
    /// Without a later connection, the call fails immediately.
    ///
    /// - Throws: `RedisError` if not all replies have arrived.
    func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue]

    /// Sends commands like the other `send`, but without a task: the caller waits for `then`.
    ///
    /// - Parameter then: called once on the event loop, with the replies or the error.
    func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Sends commands without waiting. They fail if there is no connection; nothing is queued for later.
    ///
    /// - Parameter then: called once on the event loop, with the replies or the error.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Starts to connect, unless that has already been done.
    ///
    /// - Parameter backoff: a pause before the first attempt; nil to connect immediately.
    func start(after backoff: RedisBackoff?)

    var health: RedisHealth { get }

    /// Waits until all posted commands are answered, for at most `limit` milliseconds, and closes the connection.
    func close(within limit: Int) async
}
