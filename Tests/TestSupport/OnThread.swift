import System

/// Does what blocks on a thread of its own, so that no task's thread ever waits.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        precondition(Thread.start("test") { continuation.resume(returning: body()) }, "there is no thread for the test")
    }
}

/// Does the work for every number of a range, each on a thread of its own, and waits for all.
public func onThreads(_ numbers: Range<Int>, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in numbers { group.addTask { await onThread { body(number) } } }
    }
}
