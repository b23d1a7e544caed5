import TestSupport
import Testing

@testable import Redis

/// Tests the time limits of a connection for every behavior of the server.
@Suite(.limited) struct ReplyTimeoutsTests {
    private static let silence = ReplyTimeouts.Overrun(reason: "no reply within 50 ms", isOfTotal: false)
    private static let total = ReplyTimeouts.Overrun(
        reason: "the Redis server did not send all replies within 1000 ms", isOfTotal: true)

    /// The timeouts of a connection that began at 1000. Commands were sent at 2000.
    private var clock: ReplyTimeouts = {
        var clock = ReplyTimeouts(RedisLimits(connect: 70, silence: 50, total: 1000), at: 1000)
        clock.restart(at: 2000)
        return clock
    }()
    private let turn = AwaitedReplies.Turn(begin: 2000, size: 100)

    private func overrun(at now: Int) -> ReplyTimeouts.Overrun? { clock.overrun(turn, at: now) }

    @Test func connectTimeoutCountsFromTheStart() {
        #expect(clock.maxWaitToConnect(at: 1069) == 1 && clock.maxWaitToConnect(at: 1070) == 0)
        #expect(clock.maxWaitToConnect(at: 9000) == 0)
    }

    @Test mutating func bytesThatReachTheServerExtendTheSilenceLimit() {
        clock.restart(at: 2040, arrived: 500)
        #expect(clock.maxWait(turn, wait: nil, at: 2089) == 1)
        clock.note(arrived: 500, at: 2080)
        #expect(clock.maxWait(turn, wait: nil, at: 2089) == 1)
        clock.note(arrived: 501, at: 2080)
        #expect(clock.maxWait(turn, wait: nil, at: 2129) == 1)
    }

    @Test mutating func largePartOfAReplyExtendsTheSilenceLimit() {
        clock.note(received: ReplyTimeouts.progressSize - 1, at: 2040)
        #expect(overrun(at: 2050) == Self.silence)
        clock.note(received: ReplyTimeouts.progressSize, at: 2040)
        #expect(overrun(at: 2089) == nil && overrun(at: 2090) == Self.silence)
        clock.note(received: 2 * ReplyTimeouts.progressSize - 1, at: 2080)
        #expect(overrun(at: 2090) == Self.silence)
    }

    @Test mutating func awaitedRepliesAreReadOncePerMillisecond() {
        var turns = [(2001, true), (2001, true), (2002, true), (2003, false)].map { moment, isAwaiting in
            clock.takesTurn(at: moment, isAwaiting: isAwaiting)
        }
        #expect(turns == [true, false, true, false])
        clock.signal()
        turns = [2003, 2004].map { clock.takesTurn(at: $0, isAwaiting: false) }
        #expect(turns == [true, false])
    }

    @Test func serverThatSendsNothingTimesOut() {
        #expect(clock.maxWait(turn, wait: nil, at: 2049) == 1 && overrun(at: 2049) == nil)
        #expect(clock.maxWait(turn, wait: nil, at: 2050) == 0)
        #expect(overrun(at: 2050) == Self.silence)
        #expect(overrun(at: 9000) == Self.silence, "silence ended before the total limit")
    }

    @Test mutating func repliesThatArriveOneByOneDoNotExtendTheTotalTime() {
        for moment in stride(from: 2040, to: 3000, by: 40) {
            clock.restart(at: moment)
            #expect(overrun(at: moment) == nil)
        }
        clock.restart(at: 2999)
        #expect(clock.maxWait(turn, wait: nil, at: 2999) == 1 && overrun(at: 2999) == nil)
        #expect(overrun(at: 3000) == Self.total)
        let next = AwaitedReplies.Turn(begin: 2990, size: 100)
        #expect(clock.overrun(next, at: 3000) == nil, "the next turn has its own time")
    }

    @Test mutating func largeReplyDoesNotExtendTheTotalTimeout() {
        var received = 0
        for moment in stride(from: 2040, to: 3000, by: 40) {
            received += ReplyTimeouts.progressSize
            clock.note(received: received, at: moment)
            #expect(overrun(at: moment + 39) == nil)
        }
        #expect(overrun(at: 3000) == Self.total)
    }

    @Test mutating func interruptedLargeReplyCountsAsSilence() {
        clock.note(received: ReplyTimeouts.progressSize, at: 2040)
        #expect(overrun(at: 2089) == nil && overrun(at: 2090) == Self.silence)
    }

    /// On a slow network, sending one megabyte takes longer than the time limit for a reply.
    @Test mutating func largeCommandsHaveTimeToArrive() {
        let slow = AwaitedReplies.Turn(begin: 2000, size: ReplyTimeouts.smallBatch + 200 * ReplyTimeouts.slowestLine)
        clock.restart(at: 2000, arrived: 7000)
        for moment in stride(from: 2040, to: 3200, by: 40) {
            clock.note(arrived: 7000 + moment, at: moment)
            #expect(clock.overrun(slow, at: moment + 39) == nil)
        }
        clock.note(arrived: 20_000, at: 3199)
        #expect(clock.overrun(slow, at: 3199) == nil)
        #expect(
            clock.overrun(slow, at: 3200)?.reason == "the Redis server did not send all replies within 1200 ms",
            "the line is too slow")
    }

    @Test mutating func interruptedLargeCommandCountsAsSilence() {
        clock.restart(at: 2000, arrived: 7000)
        clock.note(arrived: 7001, at: 2040)
        clock.note(arrived: 7001, at: 2080)
        #expect(overrun(at: 2089) == nil && overrun(at: 2090) == Self.silence)
    }

    @Test mutating func earlierReceivedBytesDoNotExtendTheSilenceLimit() {
        clock.restart(at: 2000, arrived: 7000)
        clock.note(arrived: 7000, at: 2040)
        #expect(overrun(at: 2050) == Self.silence)
    }

    @Test mutating func smallPartsOfAReplyDoNotExtendTheSilenceLimit() {
        for moment in 2001...2049 { clock.note(received: 100 * (moment - 2000), at: moment) }
        #expect(overrun(at: 2050) == Self.silence)
        clock.note(received: ReplyTimeouts.progressSize, at: 2050)
        #expect(overrun(at: 2050) == nil, "the parts are large together")
        clock.note(received: 2 * ReplyTimeouts.progressSize - 1, at: 2060)
        #expect(overrun(at: 2100) == Self.silence)
    }

    @Test mutating func callerWaitsNoLongerThanTheTotalTime() {
        let next = AwaitedReplies.Turn(begin: 2900, size: 100)
        clock.restart(at: 2990)
        #expect(clock.maxWait(next, wait: 2000, at: 2990) == 10 && clock.maxWait(next, wait: nil, at: 2990) == 50)
        #expect(clock.startOfLateWaits(isBusy: false, at: 3000) == 2000)
        #expect(clock.startOfLateWaits(isBusy: true, at: 3000) == 2950, "stores do not delay the caller")
    }

    @Test mutating func signalledBytesAreReadImmediately() {
        var turns = [clock.takesTurn(at: 2001, isAwaiting: false)]
        for _ in 0..<2 {
            clock.signal()
            #expect(clock.isSignalled)
            turns += (0..<2).map { _ in clock.takesTurn(at: 2001, isAwaiting: false) }
        }
        #expect(turns == [false, true, false, true, false] && !clock.isSignalled)
    }

    @Test mutating func awaitedRepliesArePolledOnceAMillisecond() {
        let turns = [2001, 2001, 2002].map { clock.takesTurn(at: $0, isAwaiting: true) }
        #expect(turns == [true, false, true])
    }
}
