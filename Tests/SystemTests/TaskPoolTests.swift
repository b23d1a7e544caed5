import TestSupport
import Testing

@testable import System

@Suite(.limited) struct TaskPoolTests {
    @Test func tasksShareItsThreads() async {
        let pool = TaskPool(threads: 2)
        let threads = await Task(executorPreference: pool) {
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<500 {
                    group.addTask {
                        await Task.yield()
                        return Self.thread
                    }
                }
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }.value
        #expect((1...2).contains(threads.count) && !threads.contains(Self.thread))
    }

    @Test func allThreadsHaveAPart() async {
        let pool = TaskPool(threads: 2)
        let (first, second) = (Gate(), Gate())
        // Each can go on only once the other has begun.
        let one = Task(executorPreference: pool) { Self.meet(first, second) }
        let other = Task(executorPreference: pool) { Self.meet(second, first) }
        #expect(await one.value != other.value)
    }

    @Test func whatWaitsIsDoneInItsOrder() async {
        let pool = TaskPool(threads: 1)
        let (order, hold) = (Lock<[Int]>([]), Gate())
        var tasks = [Task(executorPreference: pool) { Self.block(hold) }]
        for number in 0..<100 {
            tasks.append(Task(executorPreference: pool) { order.withLock { $0.append(number) } })
        }
        hold.open()
        for task in tasks { await task.value }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func aSleepThatIsCancelledEndsAtOnce() async {
        let pool = TaskPool(threads: 1)
        for isEarly in [true, false] {
            let began = Gate()
            let sleeper = Task(executorPreference: pool) {
                began.open()
                if isEarly { while !Task.isCancelled { await Task.yield() } }
                await #expect(throws: CancellationError.self) { try await pool.sleep(for: .seconds(1_000_000)) }
            }
            try? await began.wait()
            sleeper.cancel()
            await sleeper.value
        }
    }

    /// A thread that waits for a later moment hears of an earlier one, and of work.
    @Test func whoSleepsLongHoldsUpNobody() async throws {
        let pool = TaskPool(threads: 1)
        let long = Task(executorPreference: pool) { try await pool.sleep(for: .seconds(Int64.max)) }
        try await pool.sleep(milliseconds: 1)
        #expect(await Task(executorPreference: pool) { 7 }.value == 7)
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    @Test func withoutAThreadItSaysSoAndTriesAgain() async {
        let isAllowed = Lock(false)
        let pool = TaskPool(threads: 4) { body in isAllowed.withLock { $0 } && Thread.start(body) }
        #expect(!pool.isReady)
        let early = Task(executorPreference: pool) { 1 }
        isAllowed.withLock { $0 = true }
        #expect(pool.isReady)
        #expect(await early.value == 1)
    }

    @Test func withOneThreadAndNoMoreItDoesEverything() async {
        let left = Lock(1)
        let pool = TaskPool(threads: 4) { body in
            left.withLock { left in
                left -= 1
                return left >= 0
            } && Thread.start(body)
        }
        let sum = await Task(executorPreference: pool) {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<200 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }.value
        #expect(sum == 19_900)
    }

    private static var thread: String { "\(pthread_self())" }

    private static func block(_ gate: Gate) { gate.block() }

    private static func meet(_ mine: Gate, _ others: Gate) -> String {
        mine.open()
        others.block()
        return thread
    }
}
