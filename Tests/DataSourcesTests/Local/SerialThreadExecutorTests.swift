import Synchronization
import System
import TestSupport
import Testing

@testable import DataSources

@Suite(.limited) struct SerialThreadExecutorTests {
    private actor Recorder {
        private let executor = SerialThreadExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var seen: [Int] = []
        private var inside = false

        func record(_ number: Int) {
            #expect(!inside)
            inside = true
            seen.append(number)
            inside = false
        }

        func thread() -> String { "\(pthread_self())" }
    }

    @Test func jobsRunOneByOneOnOneThread() async {
        let recorder = Recorder()
        let thread = await recorder.thread()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 { group.addTask { await recorder.record(number) } }
        }
        #expect(await recorder.seen.sorted() == Array(0..<500))
        #expect(await recorder.thread() == thread)
    }

    @Test func jobsOfOneCallerKeepTheirOrder() async {
        let recorder = Recorder()
        for number in 0..<200 { await recorder.record(number) }
        #expect(await recorder.seen == Array(0..<200))
    }

    @Test func manyExecutorsComeAndGo() async {
        for round in 0..<200 {
            let recorder = Recorder()
            await recorder.record(round)
            #expect(await recorder.seen == [round])
        }
    }
}
