/// A rate limit that all processes which share the level keep to together.
struct SharedBudget: RateBudgetContract {
    let space: SharedSpace
    /// The bucket's key in the server.
    let key: String

    /// For how many milliseconds anybody waits at most for a place, whatever the timeout of its API. All who take
    /// places from one bucket must agree on it: what lies later than that is taken for no bucket.
    static let patience = 600_000

    func take(_ limit: APIDefinition.RateLimit, within milliseconds: Int) async -> Int? {
        guard space.writes else { return nil }
        let interval = Double(limit.per) * 1000 / Double(limit.requests)
        let command = RedisCommand.eval(
            SharedScript.takePlace, keys: [key],
            [
                String(interval), String(limit.requests),
                String(Double(min(max(0, milliseconds), Self.patience)) * 1000), String(Double(Self.patience) * 1000),
            ].map { Array($0.utf8) })
        // What nobody could have taken is no reply of the script.
        let longest = (Double(Self.patience) * 1000 + 2 * interval) * 1.01
        guard let replies = try? await space.server.send([command]), space.condition.note(replies, of: .leasing),
            case .integer(let wait)? = replies.first, Double(wait.magnitude) <= longest
        else { return nil }
        return Int(clamping: wait.magnitude / 1000 + (wait % 1000 == 0 ? 0 : 1)) * (wait < 0 ? -1 : 1)
    }
}
