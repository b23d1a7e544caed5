import DataSources
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Repositories

/// Tests reads of items that a sync has confirmed without fetching them again.
@Suite(.limited) struct ConfirmedItemsTests {
    private static let hour = Stage.hour

    /// Creates a stage whose items 1 and 2 were synced, and synced again without changes after two hours. Items are
    /// fresh for one hour.
    private static func stage(
        tellsDeletions: Bool = true, later: Int64 = 2 * hour, inMemory: Bool = false, shared: SharedLevelDouble? = nil
    ) async throws -> Stage {
        let stage = try SinceSyncTests.stage(
            #""ascending": true, "whole": "300d""# + (tellsDeletions ? #", "deleted": {"when": "gone"}"# : ""),
            shared: shared)
        SinceSyncTests.serve(stage, [(1, 10), (2, 20)])
        try await stage.sync()
        stage.clock.advance(milliseconds: later)
        #expect(try await stage.sync().mode == .since)
        await stage.persistence.flush()
        if !inMemory { _ = stage.memory.remove(CacheSelection(resource: "thing")) }
        return stage
    }

    @Test(arguments: [true, false]) func confirmedItemIsFresh(inMemory: Bool) async throws {
        let stage = try await Self.stage(inMemory: inMemory)
        let syncedAt = stage.clock.now()
        stage.clock.advance(milliseconds: Self.hour - 1)
        for policy in [CachePolicy.localFirst, .localOnly] {
            let control = CacheControl(policy)
            #expect(stage.repository.cachedItem("1", control) == nil)
            let answer = try await stage.repository.item("1", control, skipsShared: false)
            #expect(answer.value.text == #"{"id":1,"name":"v10"}"# && !answer.isStale && answer.syncedAt == syncedAt)
            #expect(answer.fetchedAt < syncedAt)
            #expect(stage.repository.cachedItems(["1", "2"], control) == nil)
            let items = try await stage.repository.items(["1", "2"], control)
            #expect(items.items.count == 2 && items.missing.isEmpty)
        }
        #expect(stage.itemCalls.isEmpty)
        let steps = await stage.repository.explainItem("1", CacheControl()).steps
        #expect(steps.last == "the last sync confirms the item, so it counts as fresh")
    }

    @Test func confirmedItemBecomesStaleAfterTheSync() async throws {
        let stage = try await Self.stage()
        stage.clock.advance(milliseconds: Self.hour)
        let answer = try await stage.repository.item("1", CacheControl(.localOnly), skipsShared: false)
        #expect(answer.isStale && answer.syncedAt != nil)
        await #expect(throws: RepositoryError.self) {
            try await stage.repository.item("1", CacheControl(), skipsShared: false)
        }
        #expect(stage.itemCalls == [.item("1")])
    }

    @Test func maxAgeCountsFromTheSync() async throws {
        let stage = try await Self.stage()
        stage.clock.advance(milliseconds: 5000)
        _ = try await stage.repository.item("1", CacheControl(maxAge: 5001), skipsShared: false)
        #expect(stage.itemCalls.isEmpty)
        _ = try? await stage.repository.item("1", CacheControl(maxAge: 5000), skipsShared: false)
        #expect(stage.itemCalls == [.item("1")])
    }

    @Test func requestForChangesConfirmsNothingIfDeletionsAreUnknown() async throws {
        let stage = try await Self.stage(tellsDeletions: false)
        let answer = try await stage.repository.item("1", CacheControl(.localOnly), skipsShared: false)
        #expect(answer.isStale && answer.syncedAt == nil)
        _ = try? await stage.repository.items(["1"], CacheControl())
        #expect(stage.itemCalls.count == 1)
    }

    @Test func invalidatedItemIsNotConfirmed() async throws {
        let stage = try await Self.stage()
        _ = await stage.cache.invalidate(CacheSelection(resource: "thing"))
        let answer = try await stage.repository.item("1", CacheControl(.localOnly), skipsShared: false)
        #expect(answer.isStale && answer.syncedAt == nil)
    }

    @Test func itemInNoLocalCopyIsNotConfirmed() async throws {
        let stage = try await Self.stage()
        stage.keep(stage.entity("3", age: 2 * Self.hour))
        await stage.persistence.flush()
        let answer = try await stage.repository.item("3", CacheControl(.localOnly), skipsShared: false)
        #expect(answer.isStale && answer.syncedAt == nil)
    }

    /// The catalog declares `"keepFor": "30d"`.
    @Test func confirmedItemIsKeptLongerThanKeepFor() async throws {
        let stage = try await Self.stage(later: 40 * 24 * Self.hour)
        stage.keep(stage.entity("3", age: 40 * 24 * Self.hour))
        await stage.persistence.flush()
        let answer = try await stage.repository.item("1", CacheControl(.localOnly), skipsShared: false)
        #expect(!answer.isStale && answer.value.text.contains("v10"))
        await #expect(throws: RepositoryError.notCached(resource: "thing")) {
            try await stage.repository.item("3", CacheControl(.localOnly), skipsShared: false)
        }
        let found = try await stage.repository.search(nil, filters: [], scope: nil, limit: 10, offset: 0)
        #expect(found.keys.map(\.id) == ["1", "2"])
        stage.clock.advance(milliseconds: 30 * 24 * Self.hour)
        let later = try await stage.repository.search(nil, filters: [], scope: nil, limit: 10, offset: 0)
        #expect(later.count == 0)
    }

    /// Items 1 and 2 are older than `keepFor`, although the API was just asked for changes.
    @Test func searchOmitsOldItemsIfDeletionsAreUnknown() async throws {
        let stage = try await Self.stage(tellsDeletions: false, later: 40 * 24 * Self.hour)
        let found = try await stage.repository.search(nil, filters: [], scope: nil, limit: 10, offset: 0)
        #expect(found.count == 0)
        #expect(try await stage.repository.ids(matching: "1", scope: nil, limit: 10) == [])
    }

    @Test func searchOmitsAnInvalidatedOldItem() async throws {
        let stage = try await Self.stage(later: 40 * 24 * Self.hour)
        #expect(await stage.cache.invalidate(CacheSelection(ids: ["1"])) > 0)
        let found = try await stage.repository.search(nil, filters: [], scope: nil, limit: 10, offset: 0)
        #expect(found.keys.map(\.id) == ["2"])
    }

    @Test func confirmedItemNeedsNoReadOfTheSharedLevel() async throws {
        let level = SharedLevelDouble()
        let stage = try await Self.stage(shared: level)
        level.entries.succeed(items: [stage.entity("1", "shared"), stage.entity("3", "shared")])
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .persistence && !answer.isStale && answer.syncedAt != nil)
        let items = try await stage.repository.items(["1", "2", "3"], CacheControl())
        #expect(items.sources == [.persistence: 2, .shared: 1])
        #expect(level.reads == [.item(stage.itemKey("3"))])
        // An explanation reads all levels.
        let steps = await stage.repository.explainItem("1", CacheControl()).steps
        #expect(steps.last == "the last sync confirms the item, so it counts as fresh")
        #expect(try await stage.repository.item("3", CacheControl()).source == .memory)
        #expect(stage.itemCalls.isEmpty)
    }

    @Test func unconfirmedItemIsReadFromTheSharedLevel() async throws {
        let level = SharedLevelDouble()
        let stage = try await Self.stage(tellsDeletions: false, shared: level)
        level.entries.succeed(items: [stage.entity("1", "shared")])
        let steps = await stage.repository.explainItem("1", CacheControl()).steps
        #expect(steps == ["memory: nothing", "persistence: stale", "shared: fresh, returned"])
        let answer = try await stage.repository.item("1", CacheControl())
        #expect(answer.source == .shared && answer.value.text == Stage.text("1", "shared"))
        #expect(stage.memory.read(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
        let items = try await stage.repository.items(["1", "2"], CacheControl(.localOnly))
        #expect(items.sources == [.memory: 1, .persistence: 1])
    }

    @Test func searchResultHasTheTimeOfTheLastSync() async throws {
        let stage = try await Self.stage()
        let syncedAt = stage.clock.now()
        stage.clock.advance(milliseconds: 1000)
        func found() async throws -> SearchHits {
            try await stage.repository.search(nil, filters: [], scope: nil, limit: 10, offset: 0)
        }
        #expect(try await found().syncedAt == syncedAt)
        await stage.persistence.flush()
        stage.persistence.remove(stage.itemKey("1"))
        await stage.persistence.flush()
        // The copy has lost an item, so it no longer contains the whole list.
        #expect(try await found().syncedAt == nil)
    }
}
