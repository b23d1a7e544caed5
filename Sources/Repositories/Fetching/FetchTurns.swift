import DataSources
import Model
import System

/// Asks a remote for what nobody else asks it for at the moment, of all machines that share a level of the cache, and
/// takes from that level what the others bring. Without such a level it just asks.
struct FetchTurns<Key: CacheKey>: Sendable {
    typealias Outcomes = EntryFetches<Key>.Outcomes

    /// The waits between two looks at what others have brought, in milliseconds.
    private static var pauses: (first: Int, longest: Int) { (5, 80) }

    let cache: Cache
    var timer: any TimerContract = EventLoop.shared

    /// What became of each key. What came is kept, and what the remote has no longer is forgotten.
    ///
    /// - Parameters:
    ///   - epoch: in which it was asked for.
    ///   - isEnough: which entry of another process is as good as a new one; nil where none is.
    ///   - fetch: asks the remote.
    func outcomes(
        of keys: [Key], askedIn epoch: Int, isEnough: (@Sendable (Key.Entry) -> Bool)?,
        _ fetch: @Sendable ([Key]) async -> Outcomes
    ) async -> Outcomes {
        var outcomes: Outcomes = [:]
        var left = keys
        let begin = timer.milliseconds
        var pause = Self.pauses.first
        var isForced = isEnough == nil
        while !left.isEmpty {
            guard let turn = await cache.takeTurn(left, isForced: isForced) else {
                let fetched = await fetch(left)
                keep(fetched, askedIn: epoch, nil)
                return outcomes.merging(fetched) { $1 }
            }
            if turn.looksAgain, let isEnough {
                for (key, entry) in await cache.broughtByOthers(left, isEnough: isEnough) {
                    outcomes[key] = .success(Answer(entry, from: .shared, isStale: false))
                }
                left.removeAll { outcomes[$0] != nil }
            }
            let own = left.filter { turn.own.contains($0.name) }
            if !own.isEmpty {
                let fetched = await fetch(own)
                keep(fetched, askedIn: epoch, turn.isHeld() ? turn.ticket : nil)
                outcomes.merge(fetched) { $1 }
                left.removeAll { own.contains($0) }
            }
            turn.end()
            guard !left.isEmpty else { break }
            do {
                try await timer.sleep(milliseconds: pause)
            } catch {
                for key in left { outcomes[key] = .failure(APIError(.cancelled, "the caller left")) }
                break
            }
            pause = min(2 * pause, Self.pauses.longest)
            isForced = timer.milliseconds - begin >= turn.patience
        }
        return outcomes
    }

    private func keep(_ outcomes: Outcomes, askedIn epoch: Int, _ ticket: FetchTicket?) {
        var entries: [Key.Entry] = []
        for (key, outcome) in outcomes {
            switch outcome {
            case .success(let answer): entries.append(answer.value)
            case .failure(let error): if error.kind == .notFound { cache.forget(key) }
            }
        }
        guard !entries.isEmpty else { return }
        for var change in Key.Entry.changes(keeping: entries) {
            change.ticket = ticket
            cache.save(change, askedIn: epoch)
        }
    }
}
