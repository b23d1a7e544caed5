import Synchronization
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct InterruptionTests {
    /// Reads from a channel without data until the interruption is raised. Returns the result of `read`; -1 also if the
    /// interruption came before the first read.
    private static func readUntilRaised(_ channel: Channel, _ interruption: Interruption, attached: Gate) -> Int {
        interruption.attach()
        defer { interruption.detach() }
        attached.open()
        var byte: UInt8 = 0
        var count = -1
        while !interruption.isRaised { count = read(channel.input, &byte, 1) }
        return count
    }

    @Test(arguments: Channel.Kind.allCases)
    func blockingReadIsInterrupted(kind: Channel.Kind) async throws {
        let channel = Channel(kind)
        let interruption = Interruption()
        let attached = Gate()
        async let count = onThread { Self.readUntilRaised(channel, interruption, attached: attached) }
        try await attached.wait()
        #expect(!interruption.isRaised)
        interruption.raise()
        #expect(await count == -1)
        #expect(interruption.isRaised)
    }

    /// The signal arrives at a random moment before or during the read.
    @Test func interruptionAtAnyMomentEndsABlockingRead() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                let interruption = Interruption()
                group.addTask {
                    _ = await onThread { Self.readUntilRaised(Channel(.pipe), interruption, attached: Gate()) }
                }
                group.addTask { interruption.raise() }
            }
        }
    }

    @Test func blockingReadCanBeInterruptedTwiceAndByTheReadingThread() async {
        let interruption = Interruption()
        let isRaised = await onThread {
            interruption.attach()
            interruption.raise()
            interruption.raise()
            interruption.detach()
            return interruption.isRaised
        }
        #expect(isRaised)
    }
}
