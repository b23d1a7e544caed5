import System

/// The limit for the memory that response bodies use at the same time. A body counts from the arrival of its first byte
/// until it has been parsed.
final class BodyBudget: Sendable {
    private struct State {
        var used = 0
        /// Whether a body was refused because too few bytes were free. `onRoom` must then be called when bytes become
        /// free.
        var hasWaiters = false
        var onRoom: (@Sendable () -> Void)?
    }

    let limit: Int
    private let state = Lock(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of bytes that all bodies have reserved.
    var used: Int { state.withLock { $0.used } }

    /// Whether a body waits for free bytes.
    var hasWaiters: Bool { state.withLock { $0.hasWaiters } }

    /// Sets the handler that is called when bytes become free while a body waits. It is called on any thread.
    func setRoomHandler(_ onRoom: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = onRoom } }

    /// Records that no body waits for free bytes.
    func clearWaiters() { state.withLock { $0.hasWaiters = false } }

    /// Reserves `count` bytes. If too few bytes are free, reserves nothing and returns false.
    ///
    /// - Parameter isFirst: whether the body has reserved nothing yet. It must then wait if other bodies wait.
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

    /// Reserves as many bytes as are free, up to `maximum`, and returns their number. If fewer than `minimum` are free,
    /// reserves nothing and returns nil.
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

/// The bytes that one body has reserved in the budget. They are released when the last reference to the lease is
/// dropped.
package final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let reserved = Lock(0)

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit { shrink(to: 0) }

    /// The number of reserved bytes.
    var size: Int { reserved.withLock { $0 } }

    /// Reserves more bytes until the lease has `size` bytes. If too few bytes are free, reserves nothing and returns
    /// false.
    ///
    /// - Parameter hasPriority: whether a body without reserved bytes may overtake waiting bodies.
    func grow(to size: Int, hasPriority: Bool = false) -> Bool {
        reserved.withLock { reserved in
            guard size > reserved else { return true }
            guard budget.take(size - reserved, isFirst: reserved == 0 && !hasPriority) else { return false }
            reserved = size
            return true
        }
    }

    /// Reserves as many bytes as are free, until the lease has `size` bytes. If the lease would have fewer than
    /// `minimum` bytes, reserves nothing and returns false.
    ///
    /// - Parameters:
    ///   - size: the desired total size of the lease.
    ///   - minimum: the smallest total size that is accepted.
    func growPartially(to size: Int, minimum: Int) -> Bool {
        reserved.withLock { reserved in
            guard size > reserved else { return true }
            guard let more = budget.takeRemainder(minimum: minimum - reserved, maximum: size - reserved) else {
                return false
            }
            reserved += more
            return true
        }
    }

    /// Releases the reserved bytes beyond `size`.
    func shrink(to size: Int) {
        let rest = reserved.withLock { reserved in
            defer { reserved = min(reserved, size) }
            return reserved - size
        }
        if rest > 0 { budget.giveBack(rest) }
    }
}
