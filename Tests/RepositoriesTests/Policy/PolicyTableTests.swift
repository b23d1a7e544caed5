import DataSources
import JSON
import Model
import Repositories
import System
import TestSupport
import Testing

/// Tests every policy with every state of both cache levels and every outcome of the remote, for items and pages.
@Suite(.limited) struct PolicyTableTests {
    /// The ages of the levels' entries. They differ, so that the time of an answer identifies its level.
    private static let ages: [LevelState: (first: Int64, second: Int64)] = [
        .fresh: (1000, 2000), .invalidated: (3000, 4000), .stale: (Stage.hour + 1000, Stage.hour + 2000),
    ]

    @Test(arguments: CachePolicy.allCases, LevelState.allCases)
    func itemRequestFollowsThePolicyTable(_ policy: CachePolicy, _ first: LevelState) async throws {
        let stage = try Stage()
        for (index, given) in Self.cases(policy, first).enumerated() {
            let id = String(index + 1)
            let key = stage.itemKey(id)
            if let item = Self.item(stage, id, given.first, .first) { stage.memory.save(LocalChange(items: [item])) }
            if let item = Self.item(stage, id, given.second, .second) {
                stage.persistence.save(LocalChange(items: [item]))
            }
            let dto = try Self.dto(id, given.outcome)
            stage.remote.setItem { _ in Self.result(dto, given.outcome) }
            let calls = stage.remote.calls.count

            let model = PolicyModel(given)
            let near = stage.repository.cachedItem(id, CacheControl(policy))
            let reply = await Self.reply { () async throws(RepositoryError) in
                try await stage.repository.item(id, CacheControl(policy)).seen { $0.text }
            }
            // For a stale item, the repository looks first whether a sync has confirmed it.
            #expect((near != nil) == (Self.isInMemory(model) && given.first != .stale), "\(given)")
            Self.check(reply, model, id, given)
            #expect(stage.remote.calls.dropFirst(calls) == (model.isRemoteAsked ? [.item(id)] : []), "\(given)")
            #expect(stage.memory.read(key)?.json.text == model.firstAfter.map { Self.text(id, $0) }, "\(given)")
            let stored = try await stage.persistence.read(key)
            #expect(stored?.json.text == model.secondAfter.map { Self.text(id, $0) }, "\(given)")
        }
    }

    @Test(arguments: CachePolicy.allCases, LevelState.allCases)
    func pageRequestFollowsThePolicyTable(_ policy: CachePolicy, _ first: LevelState) async throws {
        let stage = try Stage()
        for (index, given) in Self.cases(policy, first).enumerated() {
            let id = String(index + 1)
            let request = PageRequest(page: .number(index + 1))
            let key = stage.pageKey(request)
            if let page = Self.page(stage, id, key, given.first, .first) { stage.memory.save(page) }
            if let page = Self.page(stage, id, key, given.second, .second) { stage.persistence.save(page) }
            let dto = try Self.dto(id, given.outcome)
            let answer = PageDTO(items: [dto], info: PageInfoDTO(current: request.page))
            stage.remote.setPage { _ in Self.result(answer, given.outcome) }
            let calls = stage.remote.calls.count

            let model = PolicyModel(given)
            let near = stage.repository.cachedPage(request, CacheControl(policy))
            let reply = await Self.reply { () async throws(RepositoryError) in
                try await stage.repository.page(request, CacheControl(policy)).seen { $0.items.map(\.text).joined() }
            }
            #expect(near?.source == (Self.isInMemory(model) ? .memory : nil), "\(given)")
            Self.check(reply, model, id, given)
            #expect(stage.remote.calls.dropFirst(calls) == (model.isRemoteAsked ? [.page(request)] : []), "\(given)")
            let kept = stage.memory.read(key)?.items.map(\.json.text)
            #expect(kept == model.firstAfter.map { [Self.text(id, $0)] }, "\(given)")
            let stored = try await stage.persistence.read(key)?.items.map(\.json.text)
            #expect(stored == model.secondAfter.map { [Self.text(id, $0)] }, "\(given)")
        }
    }
}

/// The cases of the table and the comparison with the model.
extension PolicyTableTests {
    /// The properties of an answer that the test compares.
    struct Seen: Equatable {
        let text: String
        let source: Source
        let fetchedAt: Timestamp
        let isStale: Bool
        let fallback: APIError?
    }

    private static func cases(_ policy: CachePolicy, _ first: LevelState) -> [PolicyCase] {
        LevelState.allCases.flatMap { second in
            RemoteOutcome.allCases.map { PolicyCase(policy: policy, first: first, second: second, outcome: $0) }
        }
    }

    private static func text(_ id: String, _ origin: Origin) -> String { Stage.text(id, "\(origin)") }

    private static func age(_ state: LevelState, _ origin: Origin) -> Int64 {
        let ages = ages[state] ?? (0, 0)
        return origin == .first ? ages.first : origin == .second ? ages.second : 0
    }

    private static func item(_ stage: Stage, _ id: String, _ state: LevelState, _ origin: Origin) -> ItemEntity? {
        if state == .missing { return nil }
        return stage.entity(
            id, "\(origin)", age: age(state, origin), isInvalidated: state == .invalidated)
    }

    /// Creates a page for a cache level. If the page is invalidated, its items are not invalidated.
    private static func page(
        _ stage: Stage, _ id: String, _ key: PageKey, _ state: LevelState, _ origin: Origin
    ) -> LocalChange? {
        if state == .missing { return nil }
        let age = age(state, origin)
        let page = PageEntity(
            key: key, ids: [id], info: [], fetchedAt: stage.moment(age: age), isInvalidated: state == .invalidated)
        return LocalChange(items: [stage.entity(id, "\(origin)", age: age)], page: page)
    }

    /// Creates the remote's item. If decoding must fail, the item does not match the catalog, so that the mapper
    /// refuses it.
    private static func dto(_ id: String, _ outcome: RemoteOutcome) throws -> ItemDTO {
        try Stage.dto(outcome == .decodingFailed ? "{\"id\":\(id),\"name\":5}" : text(id, .remote))
    }

    private static func result<Value>(_ value: Value, _ outcome: RemoteOutcome) -> Result<Value, APIError> {
        if outcome == .decodingFailed { return .success(value) }
        return outcome.error.map { .failure($0) } ?? .success(value)
    }

    /// Returns whether memory alone can answer.
    private static func isInMemory(_ model: PolicyModel) -> Bool {
        if case .answer(.first, _, nil) = model.reply { true } else { false }
    }

    private static func reply(
        _ ask: () async throws(RepositoryError) -> Seen
    ) async -> Result<Seen, RepositoryError> {
        do throws(RepositoryError) { return .success(try await ask()) } catch { return .failure(error) }
    }

    private static func check(
        _ reply: Result<Seen, RepositoryError>, _ model: PolicyModel, _ id: String, _ given: PolicyCase
    ) {
        let now = ClockMock().now().milliseconds
        switch (reply, model.reply) {
        case (.success(let seen), .answer(let origin, let isStale, let fallback)):
            let source: Source = origin == .first ? .memory : origin == .second ? .persistence : .remote
            let state = origin == .first ? given.first : origin == .second ? given.second : .missing
            #expect(seen.text == text(id, origin), "\(given)")
            #expect(seen.source == source, "\(given)")
            #expect(seen.fetchedAt.milliseconds == now - age(state, origin), "\(given)")
            #expect(seen.isStale == isStale, "\(given)")
            expectEqual(seen.fallback, fallback, given)
        case (.failure(.remote(let error)), .failure(let expected)),
            (.failure(.noPage(let error)), .failure(let expected)):
            expectEqual(error, expected, given)
        case (.failure(let error), .notCached):
            #expect(error == .notCached(resource: "thing"), "\(given)")
        default:
            Issue.record("\(given): \(reply) instead of \(model.reply)")
        }
    }

    /// Compares errors. For errors of the mapper only kind and path are compared, because their messages differ.
    private static func expectEqual(_ error: APIError?, _ expected: APIError?, _ given: PolicyCase) {
        if given.outcome == .decodingFailed {
            #expect(error?.kind == expected?.kind && error?.path == expected?.path, "\(given)")
        } else {
            #expect(error == expected, "\(given)")
        }
    }
}

extension Answer {
    /// All compared properties of the answer, with the value as a string.
    fileprivate func seen(_ text: (Value) -> String) -> PolicyTableTests.Seen {
        PolicyTableTests.Seen(
            text: text(value), source: source, fetchedAt: fetchedAt, isStale: isStale, fallback: fallback)
    }
}
