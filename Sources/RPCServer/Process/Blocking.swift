import System

/// Runs asynchronous work while the calling thread waits for its result.
package enum Blocking {
    /// Blocks the calling thread until the work is done. Returns the result of the work, or nil if the event loop's
    /// thread could not be started.
    package static func value<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value? {
        guard EventLoop.shared.isReady else { return nil }
        let result = Monitor<Value?>(nil)
        Task(executorPreference: EventLoop.shared) {
            let value = await work()
            result.change { $0 = value }
        }
        return result.wait(until: { $0 != nil }, then: { $0 })
    }
}
