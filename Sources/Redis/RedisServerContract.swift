/// A Redis or Valkey server, as one connection reaches it. Commands are done in the order in which they are sent.
public protocol RedisServerContract: AnyObject, Sendable {
    /// Whether a command that is sent now would go to the server at once. It never waits.
    var isReady: Bool { get }

    /// Sends commands in one go and waits for all their replies. Only the very first connection is waited for (100 ms);
    /// where there is none later, it fails at once.
    ///
    /// - Throws: `RedisError` where not all replies came.
    func send(_ commands: [RedisCommand]) async throws(RedisError) -> [RESPValue]

    /// Sends commands in one go for a caller that waits for `then`, as the other `send` does, without a task.
    ///
    /// - Parameter then: called once, on the loop, with the replies or the error.
    func send(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Sends commands, and does not wait: where there is no connection now, nothing is kept for later.
    ///
    /// - Parameter then: called once, on the loop, with the replies or with why there are none.
    func post(_ commands: [RedisCommand], then: @escaping @Sendable (Result<[RESPValue], RedisError>) -> Void)

    /// Begins to connect, where that was not begun yet; after a rest, if it is to have one.
    func start(after rest: RedisBackoff?)

    /// How it is.
    var health: RedisHealth { get }

    /// Ends: waits until what was posted is answered, for so many milliseconds at most, and closes the connection.
    func close(within limit: Int) async
}
