import System

/// Runs blocking work on its own thread, so that it does not block a thread of the concurrency runtime.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        precondition(
            Thread.start("test") { continuation.resume(returning: body()) }, "could not start a thread for the test")
    }
}

/// Runs work for every number of a range, each on its own thread, and waits for all threads.
public func onThreads(_ numbers: Range<Int>, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in numbers { group.addTask { await onThread { body(number) } } }
    }
}
