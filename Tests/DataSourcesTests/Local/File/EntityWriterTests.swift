import Mocks
import System
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests when the writer of the cache file opens, retries, replaces and abandons the file.
@Suite(.limited) struct EntityWriterTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()
    let clock = ClockMock()
    /// The number of failures at each pause before a retry.
    let pauses = Watched<[Int]>([])
    let retry = Gate()

    init() throws { folder = try TemporaryDirectory() }

    private func make() -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 20, clock: clock, onFault: faults.record,
            maxPendingBytes: 1 << 20, closeTimeout: .zero
        ) { [pauses, retry] failures in
            pauses.change { $0.append(failures) }
            try? await retry.wait()
        }
    }

    /// Creates a data source with item 1 in its file.
    private func filled() async -> EntityDataSource {
        let source = make()
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        return source
    }

    private func deleteFile() {
        for name in folder.names where name.hasPrefix("cache.sqlite") { folder.delete(name) }
    }

    /// Adds a write that only a call of the test stores.
    private func add(_ id: String, to source: EntityDataSource) {
        source.context.pending.suspendScheduling()
        source.save(Entries.change(Entries.item(id)))
    }

    /// Expects that the writer opens the file after a pause of `milliseconds`, and not earlier.
    private func expectOpening(_ source: EntityDataSource, after milliseconds: Int64) async {
        clock.advance(milliseconds: milliseconds - 1)
        await source.writer.open()
        #expect(source.context.health.level == .unavailable)
        clock.advance(milliseconds: 1)
        await source.writer.open()
        #expect(source.context.health.level == .ok)
    }

    // MARK: Opening

    /// A folder at the path of the file cannot be opened.
    @Test(arguments: [(1, 2000), (2, 4000), (3, 8000), (5, 32_000), (6, 64_000), (7, 64_000), (70, 64_000)])
    func pauseDoublesAfterEachFailedOpening(count: Int, pause: Int64) async throws {
        mkdir(folder.file("cache.sqlite"), 0o700)
        let source = make()
        for attempt in 1...count {
            if attempt > 1 { clock.advance(milliseconds: 64_000) }
            await source.writer.open()
        }
        #expect(faults.parts.map { $0.reason.hasPrefix("cannot use \(folder.path)/cache.sqlite: ") } == [true])
        rmdir(folder.file("cache.sqlite"))
        await expectOpening(source, after: pause)
    }

    @Test func successfulOpeningResetsThePause() async throws {
        mkdir(folder.file("cache.sqlite"), 0o700)
        let source = make()
        await source.writer.open()
        clock.advance(milliseconds: 2000)
        await source.writer.open()
        rmdir(folder.file("cache.sqlite"))
        await expectOpening(source, after: 4000)
        deleteFile()
        mkdir(folder.file("cache.sqlite"), 0o700)
        await source.writer.open()
        rmdir(folder.file("cache.sqlite"))
        await expectOpening(source, after: 2000)
    }

    // MARK: Retries

    @Test func lockIsReportedAtTheSixthFailure() async throws {
        let source = await filled()
        let other = try SQLiteConnection(path: folder.file("cache.sqlite"))
        for round in 1...2 {
            try other.execute("BEGIN IMMEDIATE")
            add("\(round)", to: source)
            for attempt in 1...7 {
                #expect(await !source.writer.writePending())
                #expect(faults.parts.count == (attempt > 5 ? round : round - 1))
            }
            try other.execute("ROLLBACK")
            #expect(await source.writer.writePending())
        }
        #expect(
            faults.parts.allSatisfy { $0.reason.hasPrefix("cannot write to \(folder.path)/cache.sqlite: ") })
        await pauses.wait { !$0.isEmpty }
        #expect(pauses.value == [1], "one retry is scheduled at a time")
        retry.open()
    }

    @Test func failedRetryIsRepeated() async throws {
        let source = await filled()
        let other = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try other.execute("BEGIN IMMEDIATE")
        add("2", to: source)
        for _ in 1...3 { #expect(await !source.writer.writePending()) }
        retry.open()
        await pauses.wait { $0.count > 1 }
        try other.execute("ROLLBACK")
        await source.flush()
        #expect(pauses.value.prefix(2) == [1, 4])
        #expect(try other.integer("SELECT count(*) FROM items") == 2)
    }

    /// A refused write would be refused again, so it is dropped.
    @Test func writeThatTheFileRefusesIsLost() async throws {
        let source = await filled()
        let refuse = "CREATE TEMP TRIGGER t BEFORE INSERT ON items BEGIN SELECT RAISE(ABORT, 'no room'); END"
        _ = try await source.writer.perform { (store) throws(SQLiteError) in try store.connection.execute(refuse) }
        add("2", to: source)
        add("3", to: source)
        #expect(await source.writer.writePending())
        #expect(source.lostWrites.count == 2 && source.lostWrites.reason?.contains("no room") == true)
        #expect(source.context.pending.isSettled && pauses.value == [])
        _ = try await source.writer.perform { (store) throws(SQLiteError) in
            try store.connection.execute("DROP TRIGGER t")
        }
        add("4", to: source)
        #expect(await source.writer.writePending())
        #expect(try await source.read([Entries.key("2"), Entries.key("4")]) == [nil, Entries.item("4")])
    }

    // MARK: Other files at the same path

    private let damage = SQLiteError(code: 11, message: "malformed")

    @Test func onlyTheBrokenFileIsReplaced() async throws {
        let source = await filled()
        let identity = FileIdentity(path: folder.file("cache.sqlite"))
        await source.writer.replace(nil, after: damage)
        #expect(await source.statistics().state == .ok)
        for _ in 1...2 {
            await source.writer.replace(identity, after: damage)
            #expect(await source.statistics().state == .rebuilt)
            #expect(folder.names.filter { $0.contains("corrupt") && !$0.hasSuffix("-wal") }.count == 1)
        }
    }

    @Test func unopenedFileIsReplaced() async throws {
        await filled().close()
        let source = make()
        await source.writer.replace(FileIdentity(path: folder.file("cache.sqlite")), after: damage)
        #expect(source.context.health.level == .rebuilt)
        #expect(folder.names.contains { $0.contains("corrupt") })
    }

    @Test func onlyTheAbandonedFileIsNotUsed() async throws {
        let source = await filled()
        await source.writer.abandon(nil)
        #expect(source.context.health.level == .ok)
        await source.writer.abandon(FileIdentity(path: folder.file("cache.sqlite")))
        #expect(source.context.health.level == .unavailable)
        #expect(faults.parts.map(\.reason) == ["cannot use \(folder.path)/cache.sqlite: \(SQLiteError.unshared)"])
        for _ in 1...2 {
            clock.advance(milliseconds: 64_000)
            await source.writer.open()
            #expect(source.context.health.level == .unavailable)
        }
        deleteFile()
        await source.writer.open()
        #expect(source.context.health.level == .ok)
    }

    @Test func fileAfterAnAbandonedFileIsOpenedAfterAPause() async throws {
        let source = await filled()
        await source.writer.abandon(FileIdentity(path: folder.file("cache.sqlite")))
        deleteFile()
        await expectOpening(source, after: 64_000)
    }

    @Test func closedFileIsNotOpenedAgain() async throws {
        let source = await filled()
        await source.close()
        deleteFile()
        await source.writer.open()
        #expect(try await source.writer.perform { (_) throws(SQLiteError) in true } == nil)
        #expect(folder.names == [])
    }
}
