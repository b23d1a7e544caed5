import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct OrderedLaneTests {
    @Test func workIsDoneInTheOrderInWhichItWasPutIn() async {
        let lane = OrderedLane()
        let seen = Lock<[Int]>([])
        let inside = Counter()
        let tasks = (0..<500).map { number in
            lane.add {
                #expect(inside.add() == 1)
                await Task.yield()
                seen.withLock { $0.append(number) }
                inside.add(-1)
            }
        }
        for task in tasks { await task.value }
        #expect(seen.withLock { $0 } == Array(0..<500))
    }

    @Test func othersWaitForTheLastBarrierUntilAllAreDone() async {
        let lane = OrderedLane()
        let gates = [Gate(), Gate()]
        _ = lane.add {}
        #expect(lane.barrier == nil)
        let barriers = gates.map { gate in lane.add(isBarrier: true) { _ = try? await gate.wait() } }
        _ = lane.add {}
        #expect(lane.barrier == barriers[1])
        gates[0].open()
        await barriers[0].value
        #expect(lane.barrier == barriers[1])
        gates[1].open()
        await barriers[1].value
        #expect(lane.barrier == nil)
    }

    @Test func cancelledWorkLetsTheRestPass() async {
        let lane = OrderedLane()
        let gate = Gate()
        let first = lane.add { _ = try? await gate.wait() }
        let isDone = Counter()
        let second = lane.add { isDone.add() }
        #expect(isDone.value == 0)
        first.cancel()
        await second.value
        #expect(isDone.value == 1)
    }
}
