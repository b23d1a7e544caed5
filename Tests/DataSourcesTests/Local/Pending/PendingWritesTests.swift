import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// Tests when the writer of pending writes is scheduled.
@Suite(.limited) struct PendingWritesTests {
    private static let write = EntityStore.Write.removeItem(
        ItemKey(resource: ResourceKey(name: "character", fingerprint: .init(high: 1, low: 2)), id: "1"))

    @Test func manyPendingWritesStartTheWriterAtOnce() {
        let pending = PendingWrites(limit: .max)
        #expect(pending.append(Self.write).schedule == .soon)
        for _ in 2..<64 { #expect(pending.append(Self.write).schedule == .none) }
        #expect(pending.append(Self.write).schedule == .now)
        #expect(pending.append(Self.write).schedule == .none)
        // The writes that were scheduled at once are not scheduled again after the delay.
        #expect(!pending.endGathering())
    }

    @Test func largePendingWritesStartTheWriterAtOnce() {
        let pending = PendingWrites(limit: .max, batchBytes: 1)
        #expect(pending.append(Self.write).schedule == .now)
    }

    @Test func pendingWritesStartTheWriterAfterADelay() {
        let pending = PendingWrites(limit: .max)
        #expect(pending.append(Self.write).schedule == .soon)
        #expect(pending.endGathering())
        #expect(!pending.endGathering())
        #expect(pending.append(Self.write).schedule == .none)
        pending.beginWriting()
        #expect(!pending.endGathering())
        #expect(pending.append(Self.write).schedule == .soon)
    }

    @Test func writesInProgressDoNotCountAsPending() {
        let pending = PendingWrites(limit: .max)
        for _ in 0..<63 { _ = pending.append(Self.write) }
        pending.beginWriting()
        #expect(pending.take().count == 63)
        #expect(pending.append(Self.write).schedule == .soon)
    }

    /// Dropped writes do not count towards the size of later writes, however large those are.
    @Test func droppedWritesDoNotCountTowardsTheSizeLimit() {
        let pending = PendingWrites(limit: 600)
        for _ in 0..<2 { _ = pending.append(Self.write) }
        #expect(pending.take().count == 2)
        #expect(pending.removeAll() == 2)
        #expect(pending.isSettled)
        let large = EntityStore.Write.removeItem(
            ItemKey(
                resource: ResourceKey(name: "character", fingerprint: .init(high: 1, low: 2)),
                id: String(repeating: "x", count: 1000)))
        #expect(pending.append(large).lost == 0)
        #expect(pending.count == 1)
    }

    @Test func suspendedWriterIsNotStarted() {
        let pending = PendingWrites(limit: .max)
        pending.suspendScheduling()
        for _ in 0..<100 { #expect(pending.append(Self.write).schedule == .none) }
    }
}
