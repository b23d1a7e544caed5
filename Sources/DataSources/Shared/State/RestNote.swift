import Redis
import System

/// For how long a server is left alone that did not answer an earlier process: who ends after one request would else
/// wait for it each time anew. It is kept in the cache file.
public struct RestNote: Sendable {
    private let notes: (any CacheNotesContract)?
    private let clock: any ClockContract
    private let name: String

    /// - Parameter server: what the server is called, without secrets.
    init(_ notes: (any CacheNotesContract)?, server: String, clock: any ClockContract) {
        self.notes = notes
        self.clock = clock
        name = "rest \(server)"
    }

    /// What is left of the rest; nil where the server may be asked.
    func rest() async -> RedisBackoff? {
        guard let (end, pause, reason) = await read() else { return nil }
        let now = clock.now().milliseconds
        // A clock may have been set back.
        return end > now && end <= now + pause ? RedisBackoff(left: Int(end - now), reason: reason) : nil
    }

    /// Notes how the server was. Pauses double as those of `Breaker` do.
    ///
    /// - Parameter tries: how often it was tried and not reached. Who only left it alone knows nothing new.
    func note(_ health: RedisHealth, tries: Int) async {
        let last = await read()
        guard !health.wasReached, tries > 0, let reason = health.reason else {
            if last != nil, health.wasReached { notes?.keep(note: name, nil) }
            return
        }
        let pauses = Breaker.pauses
        let pause = max(Int64(pauses.lowerBound), min(2 * (last?.pause ?? 0), Int64(pauses.upperBound)))
        notes?.keep(note: name, "\(clock.now().milliseconds + pause) \(pause) \(reason)")
    }

    private func read() async -> (end: Int64, pause: Int64, reason: String)? {
        guard let words = await notes?.note(name)?.split(separator: " ", maxSplits: 2), words.count == 3,
            let end = Int64(words[0]), let pause = Int64(words[1]),
            (0...Int64(Breaker.pauses.upperBound)).contains(pause)
        else { return nil }
        return (end, pause, String(words[2]))
    }
}
