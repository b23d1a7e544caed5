import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct SerialQueueTests {
    @Test func workRunsInTheOrderOfItsArrival() async {
        let queue = SerialQueue()
        let seen = Lock<[Int]>([])
        let inside = Counter()
        let tasks = (0..<500).map { number in
            queue.add {
                #expect(inside.add() == 1)
                await Task.yield()
                seen.withLock { $0.append(number) }
                inside.add(-1)
            }
        }
        for task in tasks { await task.value }
        #expect(seen.withLock { $0 } == Array(0..<500))
    }

    @Test func lastBarrierOfAQueueIsKeptUntilAllBarriersEnd() async {
        let queue = SerialQueue()
        let gates = [Gate(), Gate()]
        _ = queue.add {}
        #expect(queue.barrier == nil)
        let barriers = gates.map { gate in queue.add(isBarrier: true) { _ = try? await gate.wait() } }
        _ = queue.add {}
        #expect(queue.barrier == barriers[1])
        gates[0].open()
        await barriers[0].value
        #expect(queue.barrier == barriers[1])
        gates[1].open()
        await barriers[1].value
        #expect(queue.barrier == nil)
    }

    @Test func cancelledWorkDoesNotBlockTheQueue() async {
        let queue = SerialQueue()
        let gate = Gate()
        let first = queue.add { _ = try? await gate.wait() }
        let isDone = Counter()
        let second = queue.add { isDone.add() }
        #expect(isDone.value == 0)
        first.cancel()
        await second.value
        #expect(isDone.value == 1)
    }
}
