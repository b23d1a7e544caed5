import Model
import Redis

/// A rate limit that all processes at the shared level share, as a token bucket in the server.
struct SharedBudget: RateBudgetContract {
    let server: any RedisServerContract
    let condition: SharedHealthMonitor
    /// Whether the mode of the level is `readwrite`.
    let isWritable: Bool
    /// The bucket's key in the server.
    let key: String
    /// The timeout of the API in milliseconds. No caller waits longer for its token.
    let timeout: Int

    /// The maximum wait of any caller in milliseconds, whatever the timeout of its API. All processes must use the same
    /// value, because the script discards a bucket that is further ahead.
    static let maxWait = 600_000

    /// Takes a token for one request, as `RateBudgetContract` requires.
    ///
    /// The reply of the server is not trusted. Callers take a token only if they wait at most `timeout`, so a valid
    /// wait is at most `timeout` and one interval. For a longer wait, the process applies its own limit instead.
    func take(_ limit: RateLimit, within milliseconds: Int) async -> Int? {
        guard isWritable else { return nil }
        let interval = Double(limit.per) * 1000 / Double(limit.requests)
        let maxCallerWait = Double(min(timeout, Self.maxWait)) * 1000
        let command = RedisCommand.eval(
            SharedScript.takeToken, keys: [key],
            [
                String(interval), String(limit.requests),
                String(min(max(0, Double(milliseconds)) * 1000, maxCallerWait)), String(Double(Self.maxWait) * 1000),
            ].map { Array($0.utf8) })
        // The script rounds to microseconds.
        let maxReply = maxCallerWait + interval + 1000
        guard let replies = try? await server.send([command]), condition.note(replies, of: .leasing),
            case .integer(let wait)? = replies.first, Double(wait.magnitude) <= maxReply
        else { return nil }
        return Int(clamping: wait.magnitude / 1000 + (wait % 1000 == 0 ? 0 : 1)) * (wait < 0 ? -1 : 1)
    }
}
