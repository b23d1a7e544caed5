import TestSupport
import Testing

@testable import System

@Suite(.limited) struct EventLoopTests {
    private actor Counter {
        nonisolated let loop: EventLoop
        private(set) var count = 0

        init(_ loop: EventLoop) { self.loop = loop }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.isolation.asUnownedSerialExecutor() }

        func add() -> String {
            count += 1
            return EventLoopTests.thread
        }
    }

    /// An event source that counts the calls of the loop and waits on its own condition variable.
    // Safe: `state` is a lock, and only the loop uses `maxWait`.
    private final class Source: EventSource, @unchecked Sendable {
        struct State {
            var turns = 0
            var waits = 0
            var wakes = 0
            var isWoken = false
        }

        let state = Monitor(State())
        var maxWait: Int? = 600_000

        func turn() { state.change { $0.turns += 1 } }

        func wait(milliseconds: Int) {
            state.change { $0.waits += 1 }
            _ = state.wait(upTo: .milliseconds(milliseconds), until: { $0.isWoken })
            state.change { $0.isWoken = false }
        }

        func wake() {
            state.change {
                $0.wakes += 1
                $0.isWoken = true
            }
        }
    }

    @Test func tasksAndActorsShareTheThread() async {
        let loop = EventLoop()
        let counter = Counter(loop)
        let threads = await Task(executorPreference: loop) {
            await withTaskGroup(of: [String].self) { group in
                for _ in 0..<500 {
                    group.addTask {
                        let before = Self.thread
                        await Task.yield()
                        return [before, await counter.add(), Self.thread]
                    }
                }
                return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
            }
        }.value
        #expect(threads.count == 1 && !threads.contains(Self.thread))
        #expect(await counter.count == 500)
    }

    @Test func actorCanBeCalledFromOtherLoops() async {
        let counter = Counter(EventLoop())
        let other = EventLoop()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask(executorPreference: number % 2 == 0 ? other : nil) {
                    await Task.yield()
                    _ = await counter.add()
                }
            }
        }
        #expect(await counter.count == 500)
    }

    @Test func pendingTasksRunInOrder() async {
        let loop = EventLoop()
        let (order, hold) = (Lock<[Int]>([]), Gate())
        var tasks = [Task(executorPreference: loop) { Self.block(hold) }]
        for number in 0..<100 {
            tasks.append(Task(executorPreference: loop) { order.withLock { $0.append(number) } })
        }
        hold.open()
        for task in tasks { await task.value }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func workAddedByTheLoopItselfWakesNoThread() async {
        let (loop, source) = (EventLoop(), Source())
        await Task(executorPreference: loop) { loop.attach(source) }.value
        source.state.wait(until: { $0.waits > 0 }, then: { $0.wakes = 0 })
        let counter = Counter(loop)
        await Task(executorPreference: loop) {
            for _ in 0..<100 {
                await Task.yield()
                _ = await counter.add()
                await Task(executorPreference: loop) {}.value
            }
        }.value
        // One wake starts the task. The task's end resumes this test's task, which does not run on the loop.
        #expect(source.state.withLock { $0.wakes } == 1)
        await Task(executorPreference: loop) { loop.detach(source) }.value
    }

    @Test func detachingAnOldEventSourceDoesNotDetachTheNewSource() async throws {
        let (loop, old, new) = (EventLoop(), Source(), Source())
        await Task(executorPreference: loop) {
            loop.attach(old)
            loop.attach(new)
            loop.detach(old)
        }.value
        new.state.wait(until: { $0.turns > 0 && $0.waits > 0 }, then: { _ in })
        await Task(executorPreference: loop) { loop.detach(new) }.value
    }

    @Test func eventSourceIsAwaitedOnlyWhileItIsBusy() async throws {
        let (loop, source) = (EventLoop(), Source())
        await Task(executorPreference: loop) { loop.attach(source) }.value
        source.state.wait(until: { $0.turns > 0 && $0.waits > 0 }, then: { _ in })
        // The end of a sleep also ends the wait for the source.
        try await loop.sleep(milliseconds: 1)
        await Task(executorPreference: loop) { source.maxWait = nil }.value
        let waits = source.state.withLock { $0.waits }
        for _ in 0..<10 { await Task(executorPreference: loop) {}.value }
        #expect(source.state.withLock { $0.waits } == waits)
        await Task(executorPreference: loop) { loop.detach(source) }.value
    }

    @Test func cancelledSleepEndsAtOnce() async {
        let loop = EventLoop()
        for isEarly in [true, false] {
            let began = Gate()
            let sleeper = Task(executorPreference: loop) {
                began.open()
                if isEarly { try? await Gate().wait() }
                await #expect(throws: CancellationError.self) { try await loop.sleep(for: .seconds(1_000_000)) }
            }
            try? await began.wait()
            sleeper.cancel()
            await sleeper.value
        }
    }

    /// A thread that waits for a later time must notice new work and an earlier time.
    @Test func longSleepDelaysNoOtherWork() async throws {
        let loop = EventLoop()
        let long = Task(executorPreference: loop) { try await loop.sleep(for: .seconds(Int64.max)) }
        try await loop.sleep(milliseconds: 1)
        #expect(await Task(executorPreference: loop) { 7 }.value == 7)
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    @Test func loopTriesAgainToStartItsThread() async {
        let isAllowed = Lock(false)
        let loop = EventLoop { body in isAllowed.withLock { $0 } && Thread.start("test", body) }
        #expect(!loop.isReady)
        let early = Task(executorPreference: loop) { 1 }
        isAllowed.withLock { $0 = true }
        #expect(loop.isReady)
        #expect(await early.value == 1)
    }

    /// The work of a cache file must run in order, even if its thread cannot be started.
    @Test func fallbackLoopRunsTheWorkIfNoThreadStarts() async {
        let isAllowed = Lock(false)
        let standIn = EventLoop()
        let loop = EventLoop(standIn: standIn) { body in isAllowed.withLock { $0 } && Thread.start("test", body) }
        #expect(!loop.hasBegun)
        let counter = Counter(loop)
        let helper = await Task(executorPreference: standIn) { Self.thread }.value
        for _ in 0..<3 { #expect(await counter.add() == helper) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = await counter.add() } }
        }
        #expect(await counter.count == 203)
        #expect(loop.hasBegun)
        isAllowed.withLock { $0 = true }
        // The stand-in runs this job after it has found no further work.
        await Task(executorPreference: standIn) {}.value
        #expect(loop.isReady)
        #expect(await counter.add() != helper)
        #expect(await counter.count == 204)
    }

    @Test func delayedClosuresRunInOrderOfTime() async {
        let loop = EventLoop()
        let order = Lock<[Int]>([])
        await withCheckedContinuation { continuation in
            // The order does not depend on the time between the calls. `TimerQueueTests` tests other orders.
            loop.run(after: 0) { order.withLock { $0.append(1) } }
            loop.run(after: 15) { order.withLock { $0.append(2) } }
            loop.run(after: 30) {
                order.withLock { $0.append(3) }
                continuation.resume()
            }
        }
        #expect(order.withLock { $0 } == [1, 2, 3])
    }

    @Test func manyShortLivedEventLoopsRunTheirTasks() async {
        for round in 0..<200 {
            let counter = Counter(EventLoop())
            for _ in 0...(round % 3) { _ = await counter.add() }
            #expect(await counter.count == round % 3 + 1)
        }
    }

    fileprivate static var thread: String { "\(pthread_self())" }

    private static func block(_ gate: Gate) { gate.block() }
}
