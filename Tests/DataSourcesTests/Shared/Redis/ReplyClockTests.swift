import TestSupport
import Testing

@testable import DataSources

/// How long is waited for, whatever a server sends.
@Suite(.limited) struct ReplyClockTests {
    private static let silence = "no reply within 50 ms"
    private static let batch = "not all replies within 100 ms"

    /// A connection that was begun at 1000, and over which something was sent at 2000.
    private var clock: ReplyClock = {
        var clock = ReplyClock(RedisLimits(connect: 70, silence: 50, batch: 100), at: 1000)
        clock.restart(at: 2000)
        return clock
    }()

    @Test func aConnectionIsWaitedForFromItsBegin() {
        #expect(clock.patienceToConnect(at: 1069) == 1 && clock.patienceToConnect(at: 1070) == 0)
        #expect(clock.patienceToConnect(at: 9000) == 0)
    }

    @Test func silenceEndsTheWait() {
        #expect(clock.patience(since: 2000, at: 2049) == 1 && clock.overdue(since: 2000, at: 2049) == nil)
        #expect(clock.patience(since: 2000, at: 2050) == 0)
        #expect(clock.overdue(since: 2000, at: 2050) == Self.silence)
        #expect(clock.overdue(since: 2000, at: 9000) == Self.silence, "it ran out first")
    }

    @Test mutating func repliesOneByOneAreNotWaitedForWithoutEnd() {
        for moment in [2040, 2080, 2099] {
            clock.restart(at: moment)
            #expect(clock.overdue(since: 2000, at: moment) == nil)
        }
        #expect(clock.patience(since: 2000, at: 2099) == 1)
        #expect(clock.overdue(since: 2000, at: 2100) == Self.batch)
        #expect(clock.overdue(since: 2090, at: 2100) == nil, "those of what was sent later have time still")
        #expect(clock.overdue(since: 2090, at: 2149) == Self.silence)
    }

    @Test mutating func aLargeReplyIsWaitedForWhileMuchOfItComes() {
        for moment in stride(from: 2040, through: 2400, by: 40) {
            clock.take(ReplyClock.sign, at: moment)
            #expect(clock.overdue(since: 2000, at: moment + 49) == nil)
        }
        #expect(clock.overdue(since: 2000, at: 2450) == Self.silence)
    }

    /// On a slow line a megabyte is on its way for longer than a reply may take.
    @Test mutating func whatArrivesAtTheServerIsASign() {
        clock.restart(at: 2000, arrived: 7000)
        for moment in stride(from: 2040, through: 2400, by: 40) {
            clock.note(arrived: 7000 + moment, at: moment)
            #expect(clock.overdue(since: 2000, at: moment + 49) == nil)
        }
        clock.note(arrived: clock.arrived, at: 2440)
        #expect(clock.overdue(since: 2000, at: 2450) == Self.silence, "no more has arrived")
    }

    @Test mutating func whatHadArrivedBeforeIsNoSign() {
        clock.restart(at: 2000, arrived: 7000)
        clock.note(arrived: 7000, at: 2040)
        #expect(clock.overdue(since: 2000, at: 2050) == Self.silence)
    }

    @Test mutating func crumbsAreNoSign() {
        for moment in 2001...2049 { clock.take(100, at: moment) }
        #expect(clock.overdue(since: 2000, at: 2050) == Self.silence)
        clock.take(ReplyClock.sign - 4900, at: 2050)
        #expect(clock.overdue(since: 2000, at: 2050) == nil, "together they are much")
    }

    @Test mutating func whatIsSignalledIsReadAtOnce() {
        var turns = [clock.takesTurn(at: 2001, isAwaiting: false)]
        for _ in 0..<2 {
            clock.signal()
            #expect(clock.isSignalled)
            turns += (0..<2).map { _ in clock.takesTurn(at: 2001, isAwaiting: false) }
        }
        #expect(turns == [false, true, false, true, false] && !clock.isSignalled)
    }

    @Test mutating func whatIsAwaitedIsLookedForOnceInAMoment() {
        let turns = [2001, 2001, 2002].map { clock.takesTurn(at: $0, isAwaiting: true) }
        #expect(turns == [true, false, true])
    }
}
