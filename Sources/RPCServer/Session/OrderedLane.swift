import DataSources
import Synchronization
import System

/// Lets work that changes state take effect in the order in which it was put in.
final class OrderedLane: Sendable {
    private struct State {
        var last: Task<Void, Never>?
        /// The last of those that others have to wait for.
        var barrier: Task<Void, Never>?
        /// How many of them are not yet done.
        var barriers = 0
    }

    private let state = Lock(State())
    /// Kept apart, so that a request that need not wait costs no lock.
    private let hasBarrier = Atomic<Bool>(false)

    /// The last work that others have to wait for; nil once all such work is done.
    var barrier: Task<Void, Never>? {
        hasBarrier.load(ordering: .acquiring) ? state.withLock { $0.barrier } : nil
    }

    /// Does the work after everything that was put in before.
    ///
    /// - Parameter isBarrier: whether others have to wait for it.
    func add(isBarrier: Bool = false, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            let previous = state.last
            let task = Task(executorPreference: EventLoop.shared) {
                await previous?.value
                await work()
                if isBarrier { self.endBarrier() }
            }
            state.last = task
            guard isBarrier else { return task }
            state.barrier = task
            state.barriers += 1
            hasBarrier.store(true, ordering: .releasing)
            return task
        }
    }

    private func endBarrier() {
        state.withLock { state in
            state.barriers -= 1
            guard state.barriers == 0 else { return }
            state.barrier = nil
            hasBarrier.store(false, ordering: .releasing)
        }
    }
}
