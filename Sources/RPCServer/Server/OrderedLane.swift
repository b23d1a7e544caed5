import DataSources

/// Lets work that changes state take effect in the order in which it was put in.
final class OrderedLane: Sendable {
    private let last = Lock<Task<Void, Never>?>(nil)

    /// Does the work after everything that was put in before.
    func add(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        last.withLock { last in
            let previous = last
            let task = Task {
                await previous?.value
                await work()
            }
            last = task
            return task
        }
    }
}
