import System
import TestSupport
import Testing

@testable import DataSources
@testable import Redis
@testable import Model

/// Tests leases, which decide which process may fetch an entry.
@Suite(.limited) struct SharedLeasesTests {
    private let clock = ClockMock()
    private let data: RedisData
    private let one: SharedMachine
    private let other: SharedMachine

    init() throws {
        data = RedisData(clock: clock)
        one = try SharedMachine(data, clock: clock)
        other = try SharedMachine(data, clock: clock)
    }

    private static func key(_ id: String) -> EntryKey { .item(LocalEntries.key(id)) }
    private static let first = key("1")
    private static let second = key("2")
    private static let lease = SharedMachine.names.lease(of: SharedMachine.name("1"))

    private func pass(_ milliseconds: Int, for machine: SharedMachine) {
        clock.advance(milliseconds: Int64(milliseconds))
        machine.timer.advance(milliseconds: milliseconds)
    }

    @Test func onlyOneProcessHoldsTheLease() async throws {
        let turn = await one.level.take([Self.first], isForced: false)
        #expect(turn.own == [Self.first] && turn.mustReread && turn.maxWait == SharedMachine.resource.maxWait)
        #expect(turn.ticket?.generations.text == data.text(SharedMachine.generations))
        let late = await other.level.take([Self.first, Self.second], isForced: false)
        #expect(late.own == [Self.second] && late.mustReread && late.ticket == turn.ticket)
        turn.end()
        let next = await other.level.take([Self.first], isForced: false)
        #expect(next.own == [Self.first])
    }

    @Test func sharedReadModeTakesNoLease() async throws {
        let reader = try SharedMachine(data, clock: clock, mode: .read)
        let turn = await reader.level.take([Self.first], isForced: false)
        #expect(turn.own == [Self.first] && data.text(Self.lease) == nil && reader.server.verbs.isEmpty)
    }

    @Test func forcedFetchIgnoresLeasesOfOtherProcesses() async throws {
        let turn = await one.level.take([Self.first], isForced: false)
        let forced = await other.level.take([Self.first], isForced: true)
        #expect(forced.own == [Self.first] && !forced.mustReread && forced.ticket == turn.ticket)
        let token = data.text(Self.lease)
        forced.end()
        #expect(token != nil && data.text(Self.lease) == token, "only the owner ends the lease")
        turn.end()
        #expect(data.text(Self.lease) == nil)
    }

    /// After a lease has expired, another process may hold it.
    @Test func lostLeaseIsNotEndedByItsFormerOwner() async throws {
        let turn = await one.level.take([Self.first], isForced: false)
        clock.advance(milliseconds: Int64(SharedLeases.life))
        let next = await other.level.take([Self.first], isForced: false)
        #expect(next.own == [Self.first], "the lease of a killed process expires")
        let token = data.text(Self.lease)
        pass(300, for: one)
        turn.end()
        #expect(one.server.count("renewLease") == 1 && one.server.count("endLease") == 1)
        #expect(data.text(Self.lease) == token && data.life(Self.lease) == 700)
    }

    @Test func leaseIsRenewedDuringTheFetch() async throws {
        let turn = await one.level.take([Self.first, Self.second], isForced: false)
        for _ in 0..<10 { pass(300, for: one) }
        #expect(await other.level.take([Self.first, Self.second], isForced: false).own.isEmpty)
        #expect(one.server.count("renewLease") == 20)
        turn.end()
        pass(300, for: one)
        #expect(one.server.count("renewLease") == 20, "an ended lease is not renewed")
        #expect(data.text(Self.lease) == nil)
        _ = await one.level.take([Self.first], isForced: false)
        pass(300, for: one)
        #expect(one.server.count("renewLease") == 21)
    }

    /// The lifetime of a lease counts from the request, not from the reply.
    @Test func slowReplyDoesNotExtendTheLease() async throws {
        await one.level.start()
        one.server.answer { [timer = one.timer] command in
            if command.verb == "takeLease" { timer.advance(milliseconds: SharedLeases.life / 2) }
            return nil
        }
        let turn = await one.level.take([Self.first], isForced: false)
        #expect(turn.isHeld())
        one.timer.advance(milliseconds: 200)
        one.server.answer { [timer = one.timer] command in
            if command.verb == "takeLease" { timer.advance(milliseconds: SharedLeases.life + 1) }
            return nil
        }
        let late = await one.level.take([Self.second], isForced: false)
        #expect(late.own == [Self.second] && !late.isHeld())
        late.end()
        turn.end()
    }

    /// A late renewal is not accepted, because another process may have held the lease in the meantime.
    @Test func lostLeaseStaysLostEvenIfARenewalSucceeds() async throws {
        let turn = await one.level.take([Self.first], isForced: false)
        #expect(turn.isHeld())
        one.server.answer { [timer = one.timer] command in
            if command.verb == "renewLease" { timer.advance(milliseconds: SharedLeases.life - 200) }
            return nil
        }
        one.timer.advance(milliseconds: 300)
        #expect(one.server.count("renewLease") == 1)
        #expect(!turn.isHeld())
        one.server.answer { _ in nil }
        turn.end()
    }

    @Test func twoLeasesAreRenewedTogether() async throws {
        let first = await one.level.take([Self.first], isForced: false)
        let second = await one.level.take([Self.second], isForced: false)
        #expect(one.timer.alarms.count { $0 == 300 } == 1)
        first.end()
        pass(300, for: one)
        #expect(one.server.count("renewLease") == 1)
        second.end()
    }

    @Test func allKeysMayBeFetchedIfTheRedisServerIsUnreachable() async throws {
        _ = await one.level.take([Self.first], isForced: false)
        other.server.lose()
        let turn = await other.level.take([Self.first, Self.second], isForced: false)
        #expect(turn.own == [Self.first, Self.second] && turn.ticket == nil && !turn.mustReread)
        turn.end()
    }

    /// A lease ends if the server refuses a fetch ticket, because this process could then not store the fetched entry.
    @Test func leaseEndsIfTheRedisServerRefusesAFetchTicket() async throws {
        await one.level.start()
        one.server.answer { $0.verb == "beginFetch" ? .error(code: "OOM", message: "OOM no room") : nil }
        let turn = await one.level.take([Self.first], isForced: false)
        #expect(turn.own == [Self.first] && turn.ticket == nil)
        #expect(data.text(Self.lease) == nil)
        #expect(one.faults.parts.map(\.part) == ["shared"])
    }

    @Test func keyOutsideTheSharedLevelNeedsNoLease() async throws {
        let key = EntryKey.item(LocalEntries.key("1", of: LocalEntries.location))
        let turn = await one.level.take([key], isForced: false)
        #expect(turn.own == [key] && turn.ticket == nil && one.server.commands.isEmpty)
    }
}
