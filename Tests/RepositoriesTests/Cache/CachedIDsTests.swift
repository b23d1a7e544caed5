import DataSources
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests which ids and scope values the cache suggests.
@Suite(.limited) struct CachedIDsTests {
    private let stage: Stage

    init() throws {
        stage = try Stage(persistence: .none)
    }

    private func ids(_ text: String, limit: Int = 10) async throws(LocalDataError) -> [String] {
        try await stage.repository.ids(matching: text, scope: nil, limit: limit)
    }

    @Test func itemsAreSearchedOnlyIfNoIDBeginsWithTheText() async throws {
        stage.memory.save(
            LocalChange(items: [
                stage.entity("1", "horse"), stage.entity("2", "1st cow"), stage.entity("10", "1st hen"),
                stage.entity("30", "cow"),
            ]))
        #expect(try await ids("1") == ["1", "10"])
        #expect(try await ids("cow").sorted() == ["2", "30"])
        #expect(try await ids("") == ["1", "2", "10", "30"])
        #expect(try await ids("9") == [])
    }

    @Test func numberOfIDsIsLimited() async throws {
        stage.memory.save(
            LocalChange(items: [stage.entity("1", "a"), stage.entity("2", "1st"), stage.entity("10", "a")]))
        #expect(try await ids("1", limit: 1) == ["1"])
        #expect(try await ids("1", limit: 2) == ["1", "10"])
        #expect(try await ids("1", limit: 3) == ["1", "10"])
        #expect(try await ids("", limit: 2) == ["1", "2"])
    }

    @Test func idInSeveralScopesIsSuggestedOnce() async throws {
        let items = ["oak", "elm"].map { tree in
            let scope = ResourceScope([("tree", .string(tree))])
            return ItemEntity(
                key: ItemKey(resource: stage.key.scoped(scope), id: "1"), json: Stage.bytes("1", "a"),
                fetchedAt: stage.moment(age: 0))
        }
        stage.memory.save(LocalChange(items: items))
        let ids = try await stage.repository.ids(matching: "1", scope: ScopeNarrowing([]), limit: 10)
        #expect(ids == ["1"])
    }

    /// Entries that are older than `keepFor` count as absent.
    @Test func expiredItemsAreNotSuggested() async throws {
        stage.memory.save(
            LocalChange(items: [stage.entity("1", age: 31 * 24 * Stage.hour), stage.entity("10", age: 0)]))
        #expect(try await ids("1") == ["10"])
    }

    @Test func scopeValuesComeFromCachedItems() async throws {
        let scopes = [("oak", 3), ("elm", 3), ("oak", 4), ("oak", 3)].map { tree, branch in
            ResourceScope([("tree", .string(tree)), ("branch", .integer(branch))])
        }
        let items = scopes.enumerated().map { index, scope in
            ItemEntity(
                key: ItemKey(resource: stage.key.scoped(scope), id: "\(index)"), json: Stage.bytes("1", "a"),
                fetchedAt: stage.moment(age: 0))
        }
        stage.memory.save(LocalChange(items: items))
        func values(_ name: String, _ narrowing: ScopeNarrowing) async throws -> [String] {
            try await stage.repository.scopeValues(of: name, scope: narrowing).sorted()
        }
        #expect(try await values("tree", ScopeNarrowing([])) == ["elm", "oak"])
        #expect(try await values("branch", ScopeNarrowing([])) == ["3", "4"])
        #expect(try await values("tree", ScopeNarrowing([("branch", 4)])) == ["oak"])
        #expect(try await values("branch", ScopeNarrowing([("tree", "elm")])) == ["3"])
        #expect(try await values("tree", ScopeNarrowing([("branch", 5)])) == [])
        #expect(try await values("other", ScopeNarrowing([])) == [])
    }
}
