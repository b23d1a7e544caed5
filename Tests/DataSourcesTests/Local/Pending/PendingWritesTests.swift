import TestSupport
import Testing

@testable import DataSources
@testable import Model

/// When what waits is written.
@Suite(.limited) struct PendingWritesTests {
    private static let write = EntityStore.Write.removeItem(
        ItemKey(resource: ResourceKey(name: "character", fingerprint: .init(high: 1, low: 2)), id: "1"))

    @Test func aWriteWaitsForOthersButNotForMany() {
        let pending = PendingWrites(limit: .max)
        #expect(pending.append(Self.write).schedule == .soon)
        for _ in 2..<64 { #expect(pending.append(Self.write).schedule == .none) }
        #expect(pending.append(Self.write).schedule == .now)
        #expect(pending.append(Self.write).schedule == .none)
        // What came of them at once is not done a second time.
        #expect(!pending.endGathering())
    }

    @Test func muchIsWrittenAtOnce() {
        let pending = PendingWrites(limit: .max, batchBytes: 1)
        #expect(pending.append(Self.write).schedule == .now)
    }

    @Test func theEndOfTheWaitIsATurnUnlessThereWasOne() {
        let pending = PendingWrites(limit: .max)
        #expect(pending.append(Self.write).schedule == .soon)
        #expect(pending.endGathering())
        #expect(!pending.endGathering())
        #expect(pending.append(Self.write).schedule == .none)
        pending.beginWriting()
        #expect(!pending.endGathering())
        #expect(pending.append(Self.write).schedule == .soon)
    }

    @Test func whatIsBeingWrittenDoesNotCount() {
        let pending = PendingWrites(limit: .max)
        for _ in 0..<63 { _ = pending.append(Self.write) }
        pending.beginWriting()
        #expect(pending.take().count == 63)
        #expect(pending.append(Self.write).schedule == .soon)
    }

    /// What was given up is no part of what comes then, however large that is.
    @Test func whatIsGivenUpIsForgotten() {
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

    @Test func whileTurnsAreHeldNoneIsScheduled() {
        let pending = PendingWrites(limit: .max)
        pending.suspendScheduling()
        for _ in 0..<100 { #expect(pending.append(Self.write).schedule == .none) }
    }
}
