import System

/// What tasks do, for a thread that is none of theirs and waits for it.
package enum Blocking {
    /// What comes of the work; nil where there was no thread to do it.
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
