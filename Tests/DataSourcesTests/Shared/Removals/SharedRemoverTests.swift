import System
import TestSupport
import Testing

@testable import DataSources

/// What is owed to a server that refuses it: when it is sent anew, and what of it is done.
@Suite(.limited) struct SharedRemoverTests {
    private let timer = TimerMock()
    private let index = SharedIndexDouble()
    private let server: RedisServerDouble
    private let space: SharedSpace
    private let remover: SharedRemover

    private let clock = ClockMock()
    private let data: RedisData

    init() throws {
        data = RedisData(clock: clock)
        let settings = try SharedMachine.settings(.readwrite)
        server = RedisServerDouble(data)
        space = SharedSpace(
            settings, server: server, condition: SharedCondition(settings.url, clock: clock),
            resources: SharedResources(), clock: clock)
        remover = SharedRemover(space, index: index, timer: timer)
        server.whenConnected { [remover] in remover.connected() }
        server.start(after: nil)
    }

    private static func removal(_ id: String) -> Removal {
        Removal(name: SharedMachine.name(id), marks: SharedMachine.marks, kind: .removed)
    }

    /// How many removals the server is sent by this.
    private func sent(_ act: () async -> Void) async -> Int {
        let before = server.count("removeEntry")
        await act()
        return server.count("removeEntry") - before
    }

    /// How many are sent when it is looked for what is owed, so much later.
    private func sent(after milliseconds: Int) async -> Int {
        timer.advance(milliseconds: milliseconds)
        return await sent { await remover.carryOut() }
    }

    @Test func whatIsRefusedIsSentAfterPausesThatDouble() async {
        server.refuseWrites("READONLY")
        #expect(await sent { await remover.remove(["1", "2", "3"].map(Self.removal)) } == 3)
        for pause in [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000] {
            #expect(await sent(after: pause - 1) == 0)
            #expect(await sent(after: 1) == 3)
        }
        #expect(space.removals.all.count == 3)
    }

    /// What is new is not kept waiting, and does not have all else sent as long as it is refused too.
    @Test func whatIsNewIsSentAtOnce() async {
        server.refuseWrites("READONLY")
        await remover.remove(["1", "2"].map(Self.removal))
        #expect(await sent { await remover.remove([Self.removal("3")]) } == 1)
        #expect(await sent { remover.post([Self.removal("4")]) } == 1)
        server.answer { _ in nil }
        #expect(await sent { await remover.remove([Self.removal("5")]) } == 5)
        #expect(space.removals.all.isEmpty && index.removals == nil)
    }

    @Test func whatIsTakenEndsThePauses() async {
        server.refuseWrites("READONLY")
        await remover.remove([Self.removal("1")])
        _ = await sent(after: 1000)
        server.answer { _ in nil }
        #expect(await sent(after: 2000) == 1)
        server.refuseWrites("READONLY")
        await remover.remove([Self.removal("1")])
        #expect(await sent(after: 1000) == 1, "the first pause again")
    }

    @Test func aNewConnectionEndsThePauses() async {
        server.refuseWrites("READONLY")
        await remover.remove([Self.removal("1")])
        server.lose()
        #expect(await sent { server.find() } == 1)
        #expect(await sent(after: 1000) == 1, "the first pause again")
    }

    @Test func eachIsDoneByItself() async {
        server.answer { command in
            guard command.words.contains(SharedMachine.name("2").key) else { return nil }
            return .error(code: "NOPERM", message: "NOPERM not this one")
        }
        await remover.remove(["1", "2", "3"].map(Self.removal))
        #expect(Set(space.removals.all.keys) == [Self.removal("2")])
        #expect(index.removals?.contains(SharedMachine.name("2").key) == true)
        #expect(index.removals?.contains(SharedMachine.name("1").key) == false)
        #expect(await sent(after: 1000) == 1)
    }

    /// On a slow line many would not be answered in time: what was taken is done with, however the rest goes.
    @Test func manyGoInPieces() async throws {
        let all = (0..<300).map { Self.removal("\($0)") }
        let lost = Watched(0)
        server.answer { [server] command in
            if command.verb == "removeEntry",
                lost.change({
                    $0 += 1; return $0
                }) == 120
            {
                server.lose()
            }
            return nil
        }
        await remover.remove(all)
        #expect(space.removals.all.count == 150)
        server.answer { _ in nil }
        #expect(await sent { server.find() } == 150)
        #expect(space.removals.all.isEmpty && index.removals == nil)
    }

    /// What is owed is not sent again while it is under way.
    @Test func theyAreSentOnce() async {
        server.lose()
        await remover.remove((0..<100).map { Self.removal("\($0)") })
        server.hold()
        server.find()
        remover.connected()
        #expect(await sent { server.release() } == 100)
    }

    /// What somebody waits for is not sent by the look for what is owed, too.
    @Test func whatIsUnderWayIsNotOwed() async {
        server.hold()
        remover.post([Self.removal("1")])
        let wait = await sent {
            await remover.carryOut()
            remover.connected()
            server.release()
        }
        #expect(wait == 1 && space.removals.all.isEmpty)
    }

    // MARK: What was fetched and could not be shared

    private static let outdated = Removal(
        name: SharedMachine.name("1"), marks: SharedMachine.marks, kind: .outdated)

    /// Nothing of it is kept in the file, and what others ask for meanwhile is stored.
    @Test func whatMayBeOutdatedIsTold() async throws {
        let machine = try SharedMachine(data, clock: clock)
        await machine.store([LocalEntries.item("1", at: clock.now().milliseconds)])
        let marks = data.bytes(SharedMachine.marks.key)
        remover.tellOutdated([Self.outdated])
        #expect(try await machine.state("1") == "stale")
        #expect(data.bytes(SharedMachine.marks.key) == marks && space.removals.all.isEmpty)
    }

    @Test func itIsToldWhenTheServerIsReached() async throws {
        let machine = try SharedMachine(data, clock: clock)
        await machine.store([LocalEntries.item("1", at: clock.now().milliseconds)])
        server.lose()
        remover.tellOutdated([Self.outdated])
        #expect(try await machine.state("1") == "fresh" && index.removals == nil)
        server.find()
        #expect(try await machine.state("1") == "stale")
    }

    /// Where the server is away for longer each machine is for itself, and so it is with more than a few.
    @Test func itIsNotToldOfAll() async throws {
        server.lose()
        var health = server.health
        health.isLeftAlone = true
        server.health = health
        remover.tellOutdated([Self.outdated])
        #expect(space.removals.all.isEmpty)
        health.isLeftAlone = false
        server.health = health
        remover.tellOutdated(
            (0...1000).map { Removal(name: SharedMachine.name("\($0)"), marks: SharedMachine.marks, kind: .outdated) })
        #expect(space.removals.all.isEmpty)
        remover.tellOutdated([Self.outdated])
        #expect(space.removals.all.count == 1)
    }

    /// More than are kept are not too many where the server takes them.
    @Test func anyNumberIsCarriedOutAsItIs() async {
        #expect(await sent { await remover.remove((0...LocalRemovals.most).map { Self.removal("\($0)") }) } == 10_001)
        #expect(server.count("renewMarks") == 0 && space.removals.all.isEmpty)
    }

    /// Others keep what they have, as stale.
    @Test func tooManyThatAreOwedMarkAllStale() async {
        server.lose()
        await remover.remove((0...LocalRemovals.most).map { Self.removal("\($0)") })
        #expect(await index.notes(beginning: "removals").count == 1)
        #expect(await sent { server.find() } == 0)
        #expect(server.commands.last?.words.contains("stale") == true && server.count("renewMarks") == 1)
        #expect(index.removals == nil)
    }

    // MARK: What the remote has no longer

    /// The level was asked, and has none: there is nothing to be known by later processes.
    @Test(arguments: [SharedMode.read, .readwrite]) func whatTheLevelHasNotIsNotNoted(mode: SharedMode) throws {
        let machine = try SharedMachine(data, clock: clock, mode: mode)
        machine.server.start(after: nil)
        machine.server.hold()
        machine.level.removeItem(LocalEntries.key("1"))
        #expect(machine.server.heldCount == 1)
        machine.server.release()
        #expect(machine.index.removals == nil)
        machine.server.lose()
        machine.level.removeItem(LocalEntries.key("1"))
        #expect(machine.index.removals != nil, "nobody knows whether it has it")
        #expect(machine.index.removals?.contains("gone") == true)
    }

    /// A fetch that was under way elsewhere may bring it, until the API has answered that in any case.
    @Test(arguments: [SharedMode.read, .readwrite]) func whatIsGoneStaysSoForAWhile(mode: SharedMode) async throws {
        let (machine, other) = (
            try SharedMachine(data, clock: clock, mode: mode), try SharedMachine(data, clock: clock)
        )
        await other.level.start()
        let turn = await other.level.take([.item(LocalEntries.key("1"))], isForced: false)
        await machine.level.start()
        clock.advance(milliseconds: 1)
        machine.level.removeItem(LocalEntries.key("1"))
        var change = LocalEntries.change(LocalEntries.item("1", at: clock.now().milliseconds + 1))
        change.ticket = turn.ticket
        other.level.save(change)
        clock.advance(milliseconds: 1)
        #expect(try await [other.state("1"), machine.state("1")] == ["fresh", "absent"])
        machine.timer.advance(milliseconds: 2 * SharedMachine.resource.patience)
        #expect(try await machine.state("1") == "fresh")
    }

    /// What was noted while the server was away is not left in the file when it knows.
    @Test func aNoteOfWhatIsGoneEndsWithIt() async throws {
        let machine = try SharedMachine(data, clock: clock)
        await machine.store([LocalEntries.item("1", at: clock.now().milliseconds)])
        machine.server.lose()
        machine.level.removeItem(LocalEntries.key("1"))
        #expect(machine.index.removals != nil)
        machine.server.hold()
        machine.server.find()
        machine.level.removeItem(LocalEntries.key("1"))
        machine.server.release()
        machine.timer.advance(milliseconds: 2 * SharedMachine.resource.patience)
        #expect(machine.index.removals == nil)
    }

    /// Also while the server has not heard of it: what is read goes past what is posted.
    @Test func whatIsGoneIsGoneAtOnce() async throws {
        let machine = try SharedMachine(data, clock: clock)
        await machine.store([LocalEntries.item("1", at: clock.now().milliseconds)])
        machine.server.hold()
        machine.level.removeItem(LocalEntries.key("1"))
        #expect(try await machine.state("1") == "absent")
        machine.server.release()
        #expect(try await machine.state("1") == "absent")
    }

    /// The note of another process is forgotten when what it names is done.
    @Test func whatOthersHaveNotedIsKeptUntilItIsDone() async throws {
        let prefix = "removals \(SharedMachine.names.changes) another"
        let other = RemovalNotes(index, stream: SharedMachine.names.changes, writer: "another")
        other.keep(["1", "2"].map(Self.removal), at: space.clock.now())
        server.answer { command in
            guard command.words.contains(SharedMachine.name("2").key) else { return nil }
            return .error(code: "NOPERM", message: "NOPERM not this one")
        }
        await remover.carryOut()
        #expect(await index.notes(beginning: prefix).count == 1)
        server.answer { _ in nil }
        #expect(await sent(after: 1000) == 1)
        #expect(await index.notes(beginning: prefix).isEmpty && index.removals == nil)
    }
}
