import Model
import Redis

/// A rate limit that all processes at the shared level keep together, as a token bucket in the server.
struct SharedBudget: RateBudgetContract {
    let server: any RedisServerContract
    let condition: SharedCondition
    /// Whether the mode of the level is `readwrite`.
    let isWritable: Bool
    /// The bucket's key in the server.
    let key: String
    /// The timeout of the API in milliseconds. No caller waits longer for its token.
    let timeout: Int

    /// The longest wait of any caller in milliseconds, whatever the timeout of its API. All processes must agree on it:
    /// the script discards a bucket that is further ahead.
    static let longestWait = 600_000

    /// Takes a token, see `RateBudgetContract`.
    ///
    /// The server is not trusted with the limit. A caller takes a token only if it waits at most `timeout`, so the
    /// bucket asks for at most `timeout` and one interval. If it asks for more, something else has set it ahead, and
    /// the process keeps to its own limit.
    func take(_ limit: RateLimit, within milliseconds: Int) async -> Int? {
        guard isWritable else { return nil }
        let interval = Double(limit.per) * 1000 / Double(limit.requests)
        let longest = Double(min(timeout, Self.longestWait)) * 1000
        let command = RedisCommand.eval(
            SharedScript.takePlace, keys: [key],
            [
                String(interval), String(limit.requests),
                String(min(max(0, Double(milliseconds)) * 1000, longest)), String(Double(Self.longestWait) * 1000),
            ].map { Array($0.utf8) })
        // The script rounds to microseconds.
        let largest = longest + interval + 1000
        guard let replies = try? await server.send([command]), condition.note(replies, of: .leasing),
            case .integer(let wait)? = replies.first, Double(wait.magnitude) <= largest
        else { return nil }
        return Int(clamping: wait.magnitude / 1000 + (wait % 1000 == 0 ? 0 : 1)) * (wait < 0 ? -1 : 1)
    }
}
