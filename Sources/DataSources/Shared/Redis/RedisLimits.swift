/// How long a server may take, and how much may wait for it.
struct RedisLimits {
    /// For the connection with the greeting, in milliseconds.
    var connect = 100
    /// For the next byte while replies are awaited, in milliseconds.
    var silence = 50
    /// For all replies to what was sent together, unless they are large, in milliseconds.
    var batch = 100
    /// For what the socket does not take yet, in bytes.
    var backlog = 16 << 20
}
