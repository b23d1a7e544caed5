import Mocks
import Synchronization
import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests writes that fail at first because another process holds the lock, the disk is full, or the file is gone.
@Suite(.limited) struct CacheFileLockTests {
    typealias Entries = LocalEntries

    let folder: TemporaryDirectory
    let faults = FaultRecorder()
    let clock = ClockMock()
    let retry = Gate()
    let failed = Gate()
    let recovered = Gate()

    init() throws { folder = try TemporaryDirectory() }

    /// Creates a data source that retries failed writes when `retry` opens, or at the next call that waits for writes.
    private func make(_ name: String = "cache.sqlite", maxPendingBytes: Int = 1 << 20) -> EntityDataSource {
        EntityDataSource(
            path: folder.file(name), limit: 1 << 20, clock: clock, onFault: faults.record,
            onRecovery: recovered.open, maxPendingBytes: maxPendingBytes, closeTimeout: .zero
        ) { [retry, failed] _ in
            failed.open()
            try? await retry.wait()
        }
    }

    /// Creates a data source with item 1 in its file, and another connection to that file.
    private func filled() async throws -> (EntityDataSource, SQLiteConnection) {
        let source = make()
        source.save(LocalChange(items: [Entries.item("1")], page: Entries.page(1, ["1"])))
        await source.flush()
        return (source, try SQLiteConnection(path: folder.file("cache.sqlite")))
    }

    @Test func readsDoNotWaitForALockedCacheFile() async throws {
        let (source, other) = try await filled()
        try other.execute("BEGIN IMMEDIATE")
        source.save(LocalChange(items: [Entries.item("2")], page: Entries.page(2, ["1", "2"])))
        source.remove(Entries.pageKey(1))
        #expect(
            try await source.read([Entries.key("1"), Entries.key("2")]) == [Entries.item("1"), Entries.item("2")])
        #expect(try await source.read(Entries.pageKey(2))?.items.count == 2)
        #expect(try await source.read(Entries.pageKey(1)) == nil)
        await source.flush()
        #expect(try other.integer("SELECT count(*) FROM items") == 1)
        #expect(source.lostWrites.count == 0)
        try other.execute("ROLLBACK")
        await source.flush()
        #expect(try other.integer("SELECT count(*) FROM items") == 2)
        #expect(source.context.pending.isSettled)
        #expect(await source.statistics().state == .ok)
        #expect(faults.parts == [], "a short lock is not a fault")
    }

    @Test func failedWritesAreRetriedInTheBackground() async throws {
        let (source, other) = try await filled()
        try other.execute("BEGIN IMMEDIATE")
        source.save(Entries.change(Entries.item("2")))
        try await failed.wait()
        // The recovery is only reported if the failure was reported before.
        while faults.parts == [] { await source.flush() }
        source.save(Entries.change(Entries.item("3")))
        try other.execute("ROLLBACK")
        #expect(try other.integer("SELECT count(*) FROM items") == 1)
        retry.open()
        try await recovered.wait()
        #expect(try other.integer("SELECT count(*) FROM items") == 3)
    }

    @Test func removalAndInvalidationTakeEffectBeforeTheyAreStored() async throws {
        let (source, other) = try await filled()
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await source.invalidate(CacheSelection()) == 2)
        #expect(try await source.read(Entries.key("1"))?.isInvalidated == true)
        #expect(try await source.read(Entries.pageKey(1))?.page.isInvalidated == true)
        #expect(try await source.remove(CacheSelection(resource: "character")) == 2)
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try other.integer("SELECT count(*) FROM items WHERE invalidated = 0") == 1)
        try other.execute("ROLLBACK")
        await source.flush()
        #expect(try other.integer("SELECT count(*) FROM items") == 0)
    }

    @Test func longLockOfTheCacheFileIsReportedOnce() async throws {
        let (source, other) = try await filled()
        try other.execute("BEGIN IMMEDIATE")
        source.save(Entries.change(Entries.item("2")))
        for _ in 0..<8 { await source.flush() }
        #expect(await source.statistics().state == .failing)
        #expect(faults.parts.count == 1)
        #expect(faults.parts.first?.reason.contains("database is locked") == true)
        try other.execute("ROLLBACK")
        #expect(await source.statistics().state == .ok)
    }

    /// A file that is locked exclusively cannot be read or opened by other connections.
    @Test func exclusivelyLockedCacheFileBehavesAsEmpty() async throws {
        let (first, setup) = try await filled()
        await first.close()
        setup.close()
        let other = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let source = make()
        source.save(Entries.change(Entries.item("2")))
        #expect(try await source.read(Entries.key("1")) == nil)
        #expect(try await source.read(Entries.key("2")) == Entries.item("2"))
        #expect(try await source.remove(CacheSelection(ids: ["9"])) == 0)
        other.close()
        await source.flush()
        #expect(try await source.read(Entries.key("1")) == Entries.item("1"))
        #expect(try await source.read(Entries.key("2")) == Entries.item("2"))
        #expect(source.lostWrites.count == 0)
    }

    /// After a lock timeout, the next call does not wait for the lock, because simultaneous calls would add up their
    /// waits.
    @Test func callAfterALockTimeoutDoesNotWaitForTheLockAgain() async throws {
        let (source, other) = try await filled()
        #expect(try await source.lockTimeout == 80)
        try other.execute("BEGIN IMMEDIATE")
        source.save(Entries.change(Entries.item("2")))
        await source.flush()
        #expect(try await source.lockTimeout == 0)
        try other.execute("ROLLBACK")
        await source.flush()
        #expect(try await source.lockTimeout == 80)
    }

    @Test func lockOfTheCacheFileIsRememberedUntilItIsReleased() {
        var lock = LockBackoff()
        #expect(lock.busyTimeout(80) == 80)
        lock.note()
        #expect(lock.busyTimeout(80) == 0)
        lock.forget()
        #expect(lock.busyTimeout(80) == 80)
    }

    @Test func oldestPendingWritesAreDroppedAndReported() async throws {
        let source = make(maxPendingBytes: 5000)
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        let other = try SQLiteConnection(path: folder.file("cache.sqlite"))
        try other.execute("BEGIN IMMEDIATE")
        // Writes that are being stored are not dropped.
        source.context.pending.suspendScheduling()
        for number in 0..<100 { source.save(Entries.change(Entries.item("x\(number)"))) }
        #expect(try await source.read(Entries.key("x0")) == nil)
        #expect(try await source.read(Entries.key("x99")) != nil)
        #expect(faults.parts.count == 1)
        #expect(faults.parts.first?.reason.contains("given up") == true)
        try other.execute("ROLLBACK")
        await source.flush()
        #expect(source.lostWrites.count > 0)
        #expect(try other.integer("SELECT count(*) FROM items") == Int64(101 - source.lostWrites.count))
    }

    @Test func writesLostDuringCloseAreReported() async throws {
        let (source, other) = try await filled()
        try other.execute("BEGIN IMMEDIATE")
        source.save(Entries.change(Entries.item("2")))
        source.save(Entries.change(Entries.item("3")))
        await source.close()
        #expect(source.lostWrites.count == 2)
        #expect(faults.parts.last?.reason.contains("2 writes") == true)
    }

    @Test func writesStayPendingWhileTheDiskIsFull() async throws {
        let (source, _) = try await filled()
        _ = try await source.writer.perform { (store) throws(SQLiteError) in
            try store.connection.execute("PRAGMA max_page_count = 10")
        }
        let json = String(repeating: "x", count: 100_000)
        source.save(Entries.change(Entries.item("2", json: json)))
        await source.flush()
        #expect(try await source.read(Entries.key("2"))?.json.count == 100_000)
        #expect(try await source.read(Entries.key("1")) == Entries.item("1"))
        #expect(source.context.health.level == .failing)
        #expect(faults.parts.map { $0.reason.contains("full") } == [true])
        _ = try await source.writer.perform { (store) throws(SQLiteError) in
            try store.connection.execute("PRAGMA max_page_count = 100000")
        }
        #expect(await source.statistics().state == .ok)
        #expect(source.lostWrites.count == 0)
        await source.close()
        #expect(try await make().read(Entries.key("2"))?.json.count == 100_000)
    }

    @Test(arguments: [["cache.sqlite"], ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm"]])
    func deletedCacheFileIsCreatedAgain(_ names: [String]) async throws {
        let (source, other) = try await filled()
        #expect(try await source.read(Entries.key("1")) == Entries.item("1"))
        for name in names { folder.delete(name) }
        #expect(try await source.read(Entries.key("1")) == Entries.item("1"), "the deleted file is still open")
        source.save(Entries.change(Entries.item("2")))
        await source.flush()
        #expect(try await source.read([Entries.key("1"), Entries.key("2")]) == [nil, Entries.item("2")])
        // The connection to the old file must not touch the log of the new file.
        other.close()
        let second = make()
        #expect(try await second.read(Entries.key("2")) == Entries.item("2"))
        await source.close()
        await second.close()
        #expect(try await make().read(Entries.key("2")) == Entries.item("2"))
        #expect(source.lostWrites.count == 0)
    }

    @Test(arguments: [Int64(2500), -100_000]) func unusableCacheFileIsOpenedAgainAfterADelay(_ passed: Int64)
        async throws
    {
        try folder.write([], to: "place")
        let source = make("place/cache.sqlite")
        source.save(Entries.change(Entries.item("1")))
        await source.flush()
        #expect(source.context.health.level == .unavailable)
        folder.delete("place")
        source.save(Entries.change(Entries.item("2")))
        await source.flush()
        #expect(source.context.health.level == .unavailable, "the file is not tried again at once")
        clock.advance(milliseconds: passed)
        source.save(Entries.change(Entries.item("3")))
        await source.flush()
        #expect(await source.statistics().state == .ok)
        #expect(try await source.read(Entries.key("3")) == Entries.item("3"))
        #expect(faults.parts.count == 1)
    }
}

extension EntityDataSource {
    /// The time that the next write waits for a lock, in milliseconds.
    fileprivate var lockTimeout: Int32? {
        get async throws {
            try await writer.perform { (store) throws(SQLiteError) in store.connection.busyTimeout }
        }
    }
}
