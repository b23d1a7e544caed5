import DataSources
import JSON
import Model
import Repositories
import TestSupport
import Testing

/// Tests the limits `freshFor`, `keepFor` and `maxAge` to the millisecond.
@Suite(.limited) struct FreshnessTests {
    private static let failure = APIError(.network, "reset")

    /// Creates a stage with a failing remote and one item of the given age. The item is in memory if `isInMemory` is
    /// true; otherwise it is only in the file.
    private static func stage(_ cache: String, age: Int64, isInMemory: Bool) throws -> Stage {
        let stage = try Stage(Declaration(cache: cache))
        let change = LocalChange(items: [stage.entity("1", age: age)])
        if isInMemory { stage.memory.save(change) } else { stage.persistence.save(change) }
        stage.remote.fail(failure)
        return stage
    }

    @Test(arguments: [true, false]) func entryIsFreshUntilItsAgeReachesFreshFor(isInMemory: Bool) async throws {
        for (age, isFresh) in [(0, true), (9_999, true), (10_000, false), (10_001, false), (-5_000, true)] {
            let stage = try Self.stage(#"{"freshFor": "10s"}"#, age: Int64(age), isInMemory: isInMemory)
            let answer = try await stage.repository.item("1", CacheControl())
            #expect(answer.isStale == !isFresh, "\(age)")
            #expect(stage.remote.calls.isEmpty == isFresh, "\(age)")
        }
    }

    @Test(arguments: [true, false]) func entryOlderThanKeepForIsAbsent(isInMemory: Bool) async throws {
        for (age, isKept) in [(19_999, true), (20_000, false), (20_001, false)] {
            for policy in [CachePolicy.localFirst, .remoteFirst, .localOnly] {
                let stage = try Self.stage(
                    #"{"freshFor": "10s", "keepFor": "20s"}"#, age: Int64(age), isInMemory: isInMemory)
                let expected: RepositoryError =
                    policy == .localOnly ? .notCached(resource: "thing") : .remote(Self.failure)
                if isKept {
                    #expect(try await stage.repository.item("1", CacheControl(policy)).isStale, "\(age) \(policy)")
                } else {
                    #expect(stage.repository.cachedItem("1", CacheControl(policy)) == nil, "\(age) \(policy)")
                    await #expect(throws: expected, "\(age) \(policy)") {
                        try await stage.repository.item("1", CacheControl(policy))
                    }
                }
            }
        }
    }

    @Test func freshEntryOlderThanKeepForIsExpired() async throws {
        let stage = try Self.stage(#"{"keepFor": "5s"}"#, age: 5_000, isInMemory: true)
        await #expect(throws: RepositoryError.remote(Self.failure)) {
            try await stage.repository.item("1", CacheControl())
        }
    }

    @Test func entryWithoutRulesStaysFresh() async throws {
        let stage = try Self.stage("{}", age: 1_000_000 * Stage.hour, isInMemory: true)
        #expect(try await !stage.repository.item("1", CacheControl()).isStale)
        #expect(stage.remote.calls.isEmpty)
    }

    @Test func invalidatedEntryWithoutRulesIsStale() async throws {
        let stage = try Stage(Declaration(cache: "{}"))
        stage.keep(stage.entity("1", isInvalidated: true))
        try stage.serve("1")
        #expect(stage.repository.cachedItem("1", CacheControl()) == nil)
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
    }

    @Test func smallerOfFreshForAndMaxAgeApplies() async throws {
        let rows: [(cache: String, maxAge: Int?, age: Int64, isFresh: Bool)] = [
            ("{}", 10_000, 9_999, true), ("{}", 10_000, 10_000, false), ("{}", 0, 0, false),
            (#"{"freshFor": "5s"}"#, 10_000, 4_999, true), (#"{"freshFor": "5s"}"#, 10_000, 5_000, false),
            (#"{"freshFor": "20s"}"#, 10_000, 9_999, true), (#"{"freshFor": "20s"}"#, 10_000, 10_000, false),
            (#"{"freshFor": "0s"}"#, nil, 0, false),
        ]
        for row in rows {
            let stage = try Self.stage(row.cache, age: row.age, isInMemory: true)
            let control = CacheControl(.localFirst, maxAge: row.maxAge)
            #expect((stage.repository.cachedItem("1", control) != nil) == row.isFresh, "\(row)")
            #expect(try await stage.repository.item("1", control).isStale == !row.isFresh, "\(row)")
            let local = CacheControl(.localOnly, maxAge: row.maxAge)
            #expect(try await stage.repository.item("1", local).isStale == !row.isFresh, "\(row)")
            #expect(try await stage.repository.items(["1"], control).fallback == (row.isFresh ? nil : Self.failure))
        }
    }

    @Test func cachedAnswerBecomesStaleWithTime() async throws {
        let stage = try Stage()
        try stage.serve("1")
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
        stage.clock.advance(milliseconds: Stage.hour - 1)
        #expect(try await stage.repository.item("1", CacheControl()).source == .memory)
        stage.clock.advance(milliseconds: 1)
        #expect(try await stage.repository.item("1", CacheControl()).source == .remote)
        #expect(try await stage.repository.item("1", CacheControl()).source == .memory)
        #expect(stage.remote.calls == [.item("1"), .item("1")])
    }

    @Test func freshnessOfAPageDependsOnTheAgeOfThePage() async throws {
        let stage = try Stage(Declaration(cache: #"{"freshFor": "10s", "keepFor": "20s"}"#))
        try stage.servePage("1", "2")
        let request = PageRequest()
        #expect(try await stage.repository.page(request, CacheControl()).source == .remote)
        stage.clock.advance(milliseconds: 9_999)
        #expect(stage.repository.cachedPage(request, CacheControl()) != nil)
        #expect(stage.repository.cachedPage(request, CacheControl(.localFirst, maxAge: 9_999)) == nil)
        stage.clock.advance(milliseconds: 1)
        #expect(stage.repository.cachedPage(request, CacheControl()) == nil)
        #expect(stage.repository.cachedPage(request, CacheControl(.localOnly))?.isStale == true)
        stage.clock.advance(milliseconds: 10_000)
        #expect(stage.repository.cachedPage(request, CacheControl(.localOnly)) == nil)
    }
}
