import Mocks
import System
import TestSupport
import Testing

@testable import DataSources

/// Tests the notes in the cache file, which later processes can read.
@Suite(.limited) struct CacheNotesTests {
    private let folder: TemporaryDirectory
    private let faults = FaultRecorder()

    init() throws { folder = try TemporaryDirectory() }

    private func make() -> EntityDataSource {
        EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record)
    }

    @Test func notesInTheCacheFileAreReadByLaterProcesses() async {
        let source = make()
        #expect(await source.note("a") == nil)
        source.keep(note: "a", "one")
        source.keep(note: "b", "two")
        #expect(await source.note("a") == "one", "a pending note is returned")
        source.keep(note: "a", "three")
        await source.close()
        let next = make()
        #expect(await next.note("a") == "three")
        #expect(await next.note("b") == "two")
        next.keep(note: "a", nil)
        #expect(await next.note("a") == nil)
        await next.close()
        let last = make()
        #expect(await last.note("a") == nil)
        #expect(await last.note("b") == "two")
        await last.close()
    }

    @Test func closedCacheFileReturnsNoNotes() async {
        let source = EntityDataSource(
            path: folder.file("cache.sqlite"), limit: 1 << 30, clock: ClockMock(), onFault: faults.record)
        source.keep(note: "a", "one")
        await source.close()
        #expect(await source.note("a") == nil)
    }
}
