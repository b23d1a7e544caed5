import Synchronization
import System

/// A limit for the total memory of all response bodies. A body uses this memory from the arrival of its first byte
/// until it has been parsed.
final class BodyBudget: Sendable {
    private struct State {
        var used = 0
        /// Whether a response body is paused because the budget has too few free bytes. If true, `onRoom` is called
        /// when bytes become free.
        var hasWaiters = false
        var onRoom: (@Sendable () -> Void)?
    }

    let limit: Int
    private let state = Lock(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// The total number of bytes that response bodies have reserved.
    var used: Int { state.withLock { $0.used } }

    /// Whether a response body is paused because the budget has too few free bytes.
    var hasWaiters: Bool { state.withLock { $0.hasWaiters } }

    /// Sets the handler that is called when bytes become free while a body is paused. The handler may be called on any
    /// thread.
    func setRoomHandler(_ onRoom: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = onRoom } }

    func clearWaiters() { state.withLock { $0.hasWaiters = false } }

    /// Reserves `count` bytes. If fewer bytes are free, reserves nothing and returns false.
    ///
    /// - Parameter isFirst: whether this is the first reservation of the body. The first reservation fails if another
    ///   body is paused.
    fileprivate func take(_ count: Int, isFirst: Bool) -> Bool {
        state.withLock { state in
            guard count <= limit - state.used, !isFirst || !state.hasWaiters else {
                state.hasWaiters = true
                return false
            }
            state.used += count
            return true
        }
    }

    /// Reserves all free bytes, but at most `maximum`, and returns their number. If fewer than `minimum` bytes are
    /// free, reserves nothing and returns nil.
    fileprivate func takeRemainder(minimum: Int, maximum: Int) -> Int? {
        state.withLock { state in
            let count = min(maximum, limit - state.used)
            guard count >= minimum else { return nil }
            state.used += count
            return count
        }
    }

    fileprivate func giveBack(_ count: Int) {
        let onRoom = state.withLock { state in
            state.used -= count
            return state.hasWaiters ? state.onRoom : nil
        }
        onRoom?()
    }
}

/// The bytes that one response body has reserved in the memory budget. They are released when the last reference to
/// this object is dropped.
// Only one thread at a time changes the size of a lease: the engine's thread, and later the thread that drops the last
// reference.
package final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let reserved = Atomic(0)

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit { shrink(to: 0) }

    /// The number of bytes that the body has reserved in the memory budget.
    var size: Int { reserved.load(ordering: .acquiring) }

    /// Increases the reservation to `size` bytes. Returns false and changes nothing if not enough bytes are free.
    ///
    /// - Parameter hasPriority: whether the first reservation of the body can succeed while another body is paused.
    func grow(to size: Int, hasPriority: Bool = false) -> Bool {
        let reserved = self.size
        guard size > reserved else { return true }
        guard budget.take(size - reserved, isFirst: reserved == 0 && !hasPriority) else { return false }
        self.reserved.store(size, ordering: .releasing)
        return true
    }

    /// Increases the reservation to `size` bytes, or to fewer bytes if not enough are free. If the result would be less
    /// than `minimum` bytes, reserves nothing and returns false.
    ///
    /// - Parameters:
    ///   - size: the desired size of the reservation, in bytes.
    ///   - minimum: the smallest acceptable size, in bytes.
    func growPartially(to size: Int, minimum: Int) -> Bool {
        let reserved = self.size
        guard size > reserved else { return true }
        guard let more = budget.takeRemainder(minimum: minimum - reserved, maximum: size - reserved) else {
            return false
        }
        self.reserved.store(reserved + more, ordering: .releasing)
        return true
    }

    /// Releases reserved bytes until only `size` bytes are reserved.
    func shrink(to size: Int) {
        let rest = self.size - size
        guard rest > 0 else { return }
        reserved.store(size, ordering: .releasing)
        budget.giveBack(rest)
    }
}
