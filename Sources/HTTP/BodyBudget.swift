import System

/// How many bytes of bodies may be in hand at once, from their arrival until they are read to the end: all answers
/// under way together.
final class BodyBudget: Sendable {
    private struct State {
        var used = 0
        /// Whether there was no room for somebody, who waits for it.
        var isWaitedFor = false
        var onRoom: (@Sendable () -> Void)?
    }

    let limit: Int
    private let state = Lock(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// How much is taken.
    var used: Int { state.withLock { $0.used } }

    /// Whether somebody waits for room.
    var isWaitedFor: Bool { state.withLock { $0.isWaitedFor } }

    /// Says what is to be called, on any thread, when there may be room that somebody waits for.
    func follow(_ onRoom: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = onRoom } }

    /// Says that nobody waits any more.
    func endWait() { state.withLock { $0.isWaitedFor = false } }

    /// Takes so many bytes, or none of them where there is no room.
    ///
    /// - Parameter isFirst: whether they are a body's first: those of others who wait come before it.
    fileprivate func take(_ count: Int, isFirst: Bool) -> Bool {
        state.withLock { state in
            guard count <= limit - state.used, !isFirst || !state.isWaitedFor else {
                state.isWaitedFor = true
                return false
            }
            state.used += count
            return true
        }
    }

    /// Takes what is left, up to so many bytes. Returns how many; nil, and takes nothing, where less than `least` is
    /// left.
    fileprivate func takeRest(least: Int, most: Int) -> Int? {
        state.withLock { state in
            let count = min(most, limit - state.used)
            guard count >= least else { return nil }
            state.used += count
            return count
        }
    }

    fileprivate func giveBack(_ count: Int) {
        let onRoom = state.withLock { state in
            state.used -= count
            return state.isWaitedFor ? state.onRoom : nil
        }
        onRoom?()
    }
}

/// What one body has taken of the budget. It is given back when nobody holds this any more.
package final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let taken = Lock(0)

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit { shrink(to: 0) }

    /// How many bytes it has taken.
    var size: Int { taken.withLock { $0 } }

    /// Takes as much as it lacks of so many bytes. Returns false, and takes nothing, where there is no room.
    ///
    /// - Parameter inTurn: whether it is its turn among those who wait.
    func grow(to size: Int, inTurn: Bool = false) -> Bool {
        taken.withLock { taken in
            guard size > taken else { return true }
            guard budget.take(size - taken, isFirst: taken == 0 && !inTurn) else { return false }
            taken = size
            return true
        }
    }

    /// Takes all that is left of so many bytes. Returns false, and takes nothing, where that is not enough.
    ///
    /// - Parameters:
    ///   - size: how many it wants to have in all.
    ///   - least: how many it must have in all.
    func growByRest(to size: Int, least: Int) -> Bool {
        taken.withLock { taken in
            guard size > taken else { return true }
            guard let more = budget.takeRest(least: least - taken, most: size - taken) else { return false }
            taken += more
            return true
        }
    }

    /// Gives back what is more than so many bytes.
    func shrink(to size: Int) {
        let rest = taken.withLock { taken in
            defer { taken = min(taken, size) }
            return taken - size
        }
        if rest > 0 { budget.giveBack(rest) }
    }
}
