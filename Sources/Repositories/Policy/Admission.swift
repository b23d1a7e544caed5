import Synchronization

/// Limits how many requests wait on upstreams at once. One more is turned away at once instead of being queued.
///
/// Refreshes that nobody waits for are counted apart: they never take the place of a call.
public final class Admission: Sendable {
    /// How many calls may wait.
    public let limit: Int
    /// More refreshes at once would be a burden to an API that nobody asked for.
    private static let mostRefreshes = 24
    private let calls: Places
    private let refreshes: Places

    /// A limit for everything that shares it.
    public init(limit: Int) {
        self.limit = limit
        calls = Places(limit)
        refreshes = Places(max(1, min(Self.mostRefreshes, limit / 8)))
    }

    /// Takes the place of a call. Returns false where none is left.
    func enter() -> Bool { calls.take() }

    /// Gives the place of a call back.
    func leave() { calls.giveBack() }

    /// Does the work in the place of a refresh; not where none is left.
    func refresh(_ work: () async -> Void) async {
        guard refreshes.take() else { return }
        defer { refreshes.giveBack() }
        await work()
    }
}

/// So many places, and how many are taken.
private final class Places: Sendable {
    private let limit: Int
    private let taken = Atomic<Int>(0)

    init(_ limit: Int) { self.limit = limit }

    func take() -> Bool {
        if taken.add(1, ordering: .relaxed).newValue <= limit { return true }
        giveBack()
        return false
    }

    func giveBack() { taken.subtract(1, ordering: .relaxed) }
}
