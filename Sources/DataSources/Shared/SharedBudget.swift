import Model
import Redis
import System

/// An API's rate limit that several processes share. The Redis server stores it as a token bucket.
struct SharedBudget: RateBudgetContract {
    let server: any RedisServerContract
    let condition: SharedHealthMonitor
    /// Whether this process may write to the shared level (mode `readwrite`).
    let isWritable: Bool
    /// The Redis key of the token bucket.
    let key: String
    /// The timeout of the API in milliseconds. A request waits at most this long for a token of the token bucket.
    let timeout: Milliseconds

    /// The maximum wait for a token of the token bucket, in milliseconds. This limit applies even if the API's timeout
    /// is longer. All processes must use the same value.
    // The script resets a bucket whose next free token comes later than this.
    static let maxWait = 600_000

    /// Takes a token of the token bucket for one request. Returns the wait until the request may be sent, in
    /// milliseconds. A negative result means that the wait is too long for the caller, and that no token was taken.
    ///
    /// Returns nil if the Redis server gives no valid answer, or if this process must not write to the server. The
    /// caller then applies only its own rate limit.
    // A valid wait is at most `timeout` plus one interval, because callers only take a token if they wait at most
    // `timeout`.
    func take(_ limit: RateLimit, within milliseconds: Milliseconds) async -> Milliseconds? {
        guard isWritable else { return nil }
        let interval = Double(limit.per) * 1000 / Double(limit.requests)
        let maxCallerWait = Double(min(timeout, Self.maxWait)) * 1000
        let command = RedisCommand.eval(
            SharedScript.takeToken, keys: [key],
            [
                String(interval), String(limit.requests),
                String(min(max(0, Double(milliseconds)) * 1000, maxCallerWait)), String(Double(Self.maxWait) * 1000),
            ].map { Array($0.utf8) })
        // The script rounds times to microseconds.
        let maxReply = maxCallerWait + interval + 1000
        guard let replies = try? await server.send([command]), condition.note(replies, of: .leasing),
            case .integer(let wait)? = replies.first, Double(wait.magnitude) <= maxReply
        else { return nil }
        return Int(clamping: wait.magnitude / 1000 + (wait % 1000 == 0 ? 0 : 1)) * (wait < 0 ? -1 : 1)
    }
}
