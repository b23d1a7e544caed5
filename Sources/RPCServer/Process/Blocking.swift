import System

/// Runs asynchronous work for a thread that blocks until it is done.
package enum Blocking {
    /// Returns the result of the work; nil if the loop's thread could not be started.
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
