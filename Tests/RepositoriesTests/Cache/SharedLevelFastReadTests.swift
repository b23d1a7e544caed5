import DataSources
import JSON
import Model
import Repositories
import System
import TestSupport
import Testing

/// Tests reads of the shared level that start on the caller's thread.
@Suite(.limited) struct SharedLevelFastReadTests {
    /// Reads item 1. Returns the outcome as text; nil if the read was not started.
    private static func read(_ stage: Stage, _ control: CacheControl = CacheControl()) -> String? {
        let outcome = Lock<String?>(nil)
        let isStarted = stage.repository.readShared("1", control) { read in
            let text =
                switch read {
                case .found(let answer): "\(answer.source): \(answer.value.text)"
                case .outdated: "outdated"
                case .missing: "missing"
                }
            outcome.withLock { $0 = text }
        }
        return outcome.withLock { isStarted ? $0 ?? "nothing" : $0 }
    }

    @Test func sharedHitIsStoredInMemoryAndCounted() throws {
        let level = SharedLevelDouble()
        let stage = try Stage(persistence: .none, shared: level)
        level.readAtOnce(finds: stage.entity("1", "shared"))
        #expect(Self.read(stage) == "shared: \(Stage.text("1", "shared"))")
        #expect(stage.memory.peek(stage.itemKey("1"))?.json.text == Stage.text("1", "shared"))
        #expect(stage.repository.statistics == ResourceStatistics(hits: 1, misses: 0))
        #expect(stage.memory.statistics().misses == 1)
    }

    @Test func fastReadThatMissesInTheSharedLevelIsNotCounted() throws {
        let level = SharedLevelDouble()
        let stage = try Stage(persistence: .none, shared: level)
        level.readAtOnce(finds: nil)
        #expect(Self.read(stage) == "missing")
        #expect(stage.repository.statistics == ResourceStatistics(hits: 0, misses: 0))
    }

    @Test func fastReadOfTheSharedLevelReturnsNoStaleItem() throws {
        let level = SharedLevelDouble()
        let stage = try Stage(persistence: .none, shared: level)
        level.readAtOnce(finds: stage.entity("1", age: 2 * Stage.hour))
        #expect(Self.read(stage) == "outdated")
        level.readAtOnce(finds: stage.entity("1", isInvalidated: true))
        #expect(Self.read(stage) == "outdated")
        level.readAtOnce(finds: stage.entity("1", age: 2000))
        #expect(Self.read(stage, CacheControl(maxAge: 1000)) == "outdated")
        #expect(stage.memory.peek(stage.itemKey("1")) == nil)
    }

    @Test(arguments: [CachePolicy.remoteFirst, .none, .localOnly])
    func onlyPolicyLocalFirstReadsTheSharedLevel(_ policy: CachePolicy) throws {
        let level = SharedLevelDouble()
        let stage = try Stage(persistence: .none, shared: level)
        level.readAtOnce(finds: stage.entity("1"))
        #expect(Self.read(stage, CacheControl(policy)) == nil)
    }

    @Test func fileOrStaleMemoryEntryIsReadBeforeTheSharedLevel() throws {
        let level = SharedLevelDouble()
        let withFile = try Stage(shared: level)
        level.readAtOnce(finds: withFile.entity("1"))
        #expect(Self.read(withFile) == nil)
        let inMemory = try Stage(persistence: .none, shared: level)
        // A stale entry may be needed if the remote fails.
        inMemory.memory.save(LocalChange(items: [inMemory.entity("1", age: 2 * Stage.hour)]))
        #expect(Self.read(inMemory) == nil)
    }

    /// A call does not read the shared level a second time if the first read did not find the item.
    @Test func sharedLevelIsNotReadTwice() async throws {
        let level = SharedLevelDouble()
        let stage = try Stage(persistence: .none, shared: level)
        try stage.serve("1")
        #expect(try await stage.repository.item("1", CacheControl(), skipsShared: true).source == .remote)
        #expect(level.reads.isEmpty)
    }
}
