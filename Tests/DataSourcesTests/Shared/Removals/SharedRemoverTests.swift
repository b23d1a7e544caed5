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

    init() throws {
        let clock = ClockMock()
        let settings = try SharedMachine.settings(.readwrite)
        server = RedisServerDouble(RedisData(clock: clock))
        space = SharedSpace(
            settings, server: server, condition: SharedCondition(settings.url, clock: clock),
            resources: SharedResources(), clock: clock)
        remover = SharedRemover(space, index: index, timer: timer)
        server.whenConnected { [remover] in remover.connected() }
        server.start()
    }

    private static func removal(_ id: String) -> LocalRemovals.Removal {
        LocalRemovals.Removal(name: SharedMachine.name(id), marks: SharedMachine.marks, isRemoval: true)
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

    /// The note of another process is forgotten when all that it names is done.
    @Test func whatOthersHaveNotedIsKeptUntilAllOfItIsDone() async throws {
        let noted = LocalRemovals()
        noted.note(["1", "2"].map(Self.removal), at: space.clock.now())
        let name = "removals \(SharedMachine.names.changes) another"
        index.keep(note: name, noted.text)
        server.answer { command in
            guard command.words.contains(SharedMachine.name("2").key) else { return nil }
            return .error(code: "NOPERM", message: "NOPERM not this one")
        }
        await remover.carryOut()
        #expect(await index.note(name) != nil)
        server.answer { _ in nil }
        #expect(await sent(after: 1000) == 1)
        #expect(await index.note(name) == nil && index.removals == nil)
    }
}
