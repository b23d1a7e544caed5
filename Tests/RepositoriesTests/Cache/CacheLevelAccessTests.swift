import DataSources
import JSON
import Mocks
import Model
import Repositories
import TestSupport
import Testing

/// Tests how each policy accesses the second cache level. A hit in memory must not read the file, and unchanged entries
/// must not be written.
@Suite(.limited) struct CacheLevelAccessTests {
    enum Step: Equatable { case read, save, remove }

    /// A case: the entries of memory and of the second level, the outcome of the remote, and the accesses to the second
    /// level.
    struct Case: Sendable {
        let policy: CachePolicy
        /// The age of the entry in minutes; nil for none. Entries are fresh for an hour and kept for 30 days.
        let memory: Int64?
        let second: Int64?
        /// The error of the remote; nil for a value.
        let error: APIError.Kind?
        let steps: [Step]

        init(
            _ policy: CachePolicy, _ memory: Int64?, _ second: Int64?, fails error: APIError.Kind? = nil,
            _ steps: [Step]
        ) {
            self.policy = policy
            self.memory = memory
            self.second = second
            self.error = error
            self.steps = steps
        }
    }

    private static let expired: Int64 = 30 * 24 * 60

    static let cases = [
        Case(.localFirst, 1, 1, fails: .network, []),
        Case(.localFirst, 61, 1, fails: .network, [.read]),
        Case(.localFirst, nil, 1, fails: .network, [.read]),
        Case(.localFirst, nil, nil, [.read, .save]),
        Case(.localFirst, 61, 61, [.read, .save]),
        Case(.localFirst, 61, nil, fails: .network, [.read]),
        Case(.localFirst, expired, expired, fails: .network, [.read]),
        Case(.localFirst, 61, 61, fails: .notFound, [.read, .remove]),
        Case(.localFirst, nil, nil, fails: .notFound, [.read, .remove]),
        Case(.localFirst, 61, 61, fails: .unauthorized, [.read]),
        Case(.remoteFirst, 1, 1, [.save]),
        Case(.remoteFirst, nil, nil, [.read, .save]),
        Case(.remoteFirst, 61, 1, fails: .timeout, []),
        Case(.remoteFirst, nil, 61, fails: .timeout, [.read]),
        Case(.remoteFirst, expired, 61, fails: .timeout, [.read]),
        Case(.remoteFirst, nil, 1, fails: .unauthorized, [.read]),
        Case(.remoteFirst, 1, 1, fails: .notFound, [.remove]),
        Case(.localOnly, 61, 1, []),
        Case(.localOnly, nil, 61, [.read]),
        Case(.localOnly, expired, expired, [.read]),
        Case(.none, 1, 1, []),
        Case(.none, nil, nil, fails: .notFound, []),
        Case(.none, nil, 1, fails: .network, []),
    ]

    /// Creates a stage whose second level is a double.
    private func stage(_ test: Case) throws -> (Stage, LocalDataSourceMock) {
        let second = LocalDataSourceMock()
        let stage = try Stage(persistence: .double(second))
        second.succeed()
        if let error = test.error {
            stage.remote.setItem { _ in .failure(APIError(error, "no")) }
            stage.remote.setPage { _ in .failure(APIError(error, "no")) }
        } else {
            try stage.serve("1")
            try stage.servePage("1")
        }
        return (stage, second)
    }

    @Test(arguments: cases) func readOfAnItemUsesTheExpectedLevels(_ test: Case) async throws {
        let (stage, second) = try stage(test)
        if let age = test.memory { stage.memory.save(LocalChange(items: [stage.entity("1", age: age * 60_000)])) }
        if let age = test.second { second.succeed(items: [stage.entity("1", age: age * 60_000)]) }
        _ = try? await stage.repository.item("1", CacheControl(test.policy))
        let steps = second.calls.map { call -> Step? in
            switch call {
            case .read([.item(stage.itemKey("1"))]): .read
            case .save(let change): change.items.map(\.key) == [stage.itemKey("1")] ? .save : nil
            case .removeEntry(.item(stage.itemKey("1"))): .remove
            default: nil
            }
        }
        #expect(steps == test.steps)
    }

    @Test(arguments: cases) func readOfAPageUsesTheExpectedLevels(_ test: Case) async throws {
        let (stage, second) = try stage(test)
        let request = PageRequest()
        let key = stage.pageKey(request)
        func entries(_ age: Int64) -> (items: [ItemEntity], page: PageEntity) {
            let moment = stage.moment(age: age * 60_000)
            let page = PageEntity(key: key, ids: ["1"], info: [], fetchedAt: moment)
            return ([stage.entity("1", age: age * 60_000)], page)
        }
        if let (items, page) = test.memory.map(entries) { stage.memory.save(LocalChange(items: items, page: page)) }
        if let (items, page) = test.second.map(entries) { second.succeed(items: items, pages: [page]) }
        _ = try? await stage.repository.page(request, CacheControl(test.policy))
        let steps = second.calls.map { call -> Step? in
            switch call {
            case .read([.page(key)]): .read
            case .save(let change): change.page?.key == key && change.items.count == 1 ? .save : nil
            case .removeEntry(.page(key)): .remove
            default: nil
            }
        }
        #expect(steps == test.steps)
    }
}
