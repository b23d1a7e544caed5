/// How long a server may take, and how many bytes may wait for it.
struct RedisLimits {
    /// For the connection with the greeting, in milliseconds.
    var connect = 100
    /// Without a reply, or a large part of one, while replies are awaited, in milliseconds.
    var silence = 50
    /// For all replies to commands that were sent together, in milliseconds.
    var total = 1000
    /// For commands that the socket does not take yet, in bytes.
    var backlog = 16 << 20
}
