import DataSources
import Mocks
import Model

#if os(Linux)
    import Glibc
    import TestSupport
    import Testing

    @testable import DataSources

    /// Tests cache files that are overwritten while they are in use. `cp` truncates a file before it writes to it.
    @Suite(.limited) struct TruncatedCacheFileTests {
        typealias Entries = LocalEntries

        let folder: TemporaryDirectory
        let faults = FaultRecorder()

        init() throws { folder = try TemporaryDirectory() }

        /// Creates a data source that waits long enough for other connections to rebuild the index, however busy the
        /// machine is.
        private func make() -> EntityDataSource {
            EntityDataSource(
                path: folder.file("cache.sqlite"), limit: 1 << 20, clock: ClockMock(), onFault: faults.record,
                maxPendingBytes: 1 << 20, closeTimeout: .seconds(60), busyTimeout: 60_000
            ) { _ in await Task.yield() }
        }

        private func cut(to length: Int) { truncate(folder.file("cache.sqlite-shm"), length) }

        @Test(arguments: [0, 100, 4096, 20_000]) func truncatedWALIndexIsRebuilt(_ length: Int) async throws {
            let (one, other) = (make(), make())
            let items = (0..<200).map { Entries.item("\($0)") }
            one.save(LocalChange(items: items))
            await one.flush()
            #expect(try await other.read(items.map(\.key)) == items)
            for round in 0..<20 {
                cut(to: length)
                _ = (one.isCurrent, other.isCurrent)
                let changed = Entries.item("\(round)", at: Int64(2000 + round))
                one.save(Entries.change(changed))
                while !one.context.pending.isSettled { await one.flush() }
                await other.catchUp()
                #expect(try await other.read([changed.key, items[150].key]) == [changed, items[150]])
            }
            #expect(await one.statistics().state == .ok)
            #expect(await other.statistics().damaged == 0)
            #expect(faults.parts == [])
            await one.close()
            await other.close()
            let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
            #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        }

        /// A new database has no log index yet, and is therefore not mistaken for a truncated one.
        @Test func missingWALIndexDoesNotCountAsTruncated() async throws {
            let one = make()
            one.save(Entries.change(Entries.item("1")))
            await one.flush()
            _ = try await one.read(Entries.key("1"))
            var (own, none) = (
                WriteAheadIndex(of: folder.file("cache.sqlite")), WriteAheadIndex(of: folder.file("none"))
            )
            own.begin()
            none.begin()
            cut(to: 0)
            _ = one.isCurrent
            #expect(own.wasTruncated && !none.wasTruncated)
        }

        @Test func concurrentReadsSurviveTruncations() async throws {
            let sources = (0..<4).map { _ in make() }
            let items = (0..<50).map { Entries.item("\($0)") }
            sources[0].save(LocalChange(items: items))
            await sources[0].flush()
            await withTaskGroup(of: Void.self) { group in
                for source in sources {
                    group.addTask {
                        for round in 0..<200 {
                            _ = source.isCurrent
                            let found = try? await source.read(items[round % 50].key)
                            if let found { #expect(found == items[round % 50]) }
                            if round % 10 == 0 { source.save(Entries.change(items[round % 50])) }
                        }
                    }
                }
                group.addTask {
                    for round in 0..<50 {
                        cut(to: [0, 100, 4096][round % 3])
                        await Task.yield()
                    }
                }
            }
            for source in sources { await source.close() }
            // SQLite reports a truncation that happens while it takes a lock as a locking protocol error.
            let reasons = faults.parts.map(\.reason)
            #expect(reasons.filter { !$0.contains("overwriting") && !$0.contains("locking protocol") } == [])
            // A write during a truncation may overwrite entries in the log. Such entries are lost, so a read finds
            // nothing.
            for (found, item) in zip(try await make().read(items.map(\.key)), items) {
                #expect(found == nil || found == item)
            }
            let connection = try SQLiteConnection(path: folder.file("cache.sqlite"))
            #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        }
    }
#endif
