import Redis
import System

/// A record in the cache file that makes later processes pause before they connect to an unreachable server.
// Without the record, each short-lived process would wait for the server again.
public struct BackoffRecord: Sendable {
    private let notes: (any CacheNotesContract)?
    private let clock: any ClockContract
    private let name: String

    /// Creates the backoff record of one Redis server. Does not access the cache file yet.
    ///
    /// - Parameter server: the URL of the Redis server, without secrets.
    init(_ notes: (any CacheNotesContract)?, server: String, clock: any ClockContract) {
        self.notes = notes
        self.clock = clock
        name = "rest \(server)"
    }

    /// Returns the remaining pause and the reason for the pause. Returns nil if the process may connect now.
    func current() async -> RedisBackoff? {
        guard let (end, pause, reason) = await read() else { return nil }
        let now = clock.now().milliseconds
        // If the remaining pause is longer than the whole pause, the clock was set back.
        return end > now && end <= now + pause ? RedisBackoff(left: Int(end - now), reason: reason) : nil
    }

    /// Updates the record after this process has used or tried to reach the Redis server. If the server was reached,
    /// removes the record. If the server could not be reached, writes a record. The new pause is twice as long as the
    /// previous pause, up to the limit in `CircuitBreaker`.
    ///
    /// - Parameter attempts: the number of failed attempts to connect. If it is 0, this function writes no record.
    func update(_ health: RedisHealth, attempts: Int) async {
        let last = await read()
        guard !health.wasReached, attempts > 0, let reason = health.reason else {
            if last != nil, health.wasReached { notes?.keep(note: name, nil) }
            return
        }
        let pauses = CircuitBreaker.pauses
        let pause = max(Int64(pauses.lowerBound), min(2 * (last?.pause ?? 0), Int64(pauses.upperBound)))
        notes?.keep(note: name, "\(clock.now().milliseconds + pause) \(pause) \(reason)")
    }

    private func read() async -> (end: Int64, pause: Int64, reason: String)? {
        guard let parts = await notes?.note(name)?.split(separator: " ", maxSplits: 2), parts.count == 3,
            let end = Int64(parts[0]), let pause = Int64(parts[1]),
            (0...Int64(CircuitBreaker.pauses.upperBound)).contains(pause)
        else { return nil }
        return (end, pause, String(parts[2]))
    }
}
