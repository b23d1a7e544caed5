import Catalog
import DataSources
import JSON
import Mocks
import Model
import Repositories
import System
import TestSupport
import Testing

@testable import larder

/// Tests which operations a live check calls, and what it reports about their answers.
@Suite(.limited) struct LiveCheckTests {
    private static let list = #""list": {"path": "/things"}"#
    private static let paged = #""list": {"path": "/things", "pagination": {"style": "page", "param": "page"}}"#
    private static let get = #""get": {"path": "/things/{id}"}"#
    private static let many = #""getMany": {"path": "/many/{ids}"}"#

    private let log = ExchangeLog()

    /// Returns a mock of the resource `thing`, whose operations succeed. `members` are further members of the resource.
    private func repository(_ rest: String, _ members: String = "") throws -> ResourceRepositoryMock {
        let text = CatalogText.make(rest: "{\(rest)}").replacing(
            #""id": "integer""#, with: #"\#(members)"id": "integer""#)
        let repository = ResourceRepositoryMock(try CatalogText.decode(text).resources[0])
        repository.configure {
            $0.item = .success(Self.answer(Array("{}".utf8)))
            $0.page = .success(Self.page(["1", "2", "3"]))
            $0.items = .success(BatchAnswer(items: [Array("{}".utf8)], missing: [], sources: [:], fallback: nil))
        }
        return repository
    }

    private static func answer<Value>(_ value: Value) -> Answer<Value> {
        Answer(value: value, source: .remote, fetchedAt: Timestamp(milliseconds: 0), isStale: false, fallback: nil)
    }

    private static func page(
        _ ids: [String], _ info: String = #"{"next":null}"#, missing: [String]? = nil
    ) -> Answer<Page> {
        let items = JSONTexts(ids.map { Array(#"{"id":\#($0)}"#.utf8) })
        return answer(Page(ids: ids, items: items, info: Array(info.utf8), missing: missing))
    }

    private static func ids(_ count: Int) -> [String] { (0..<count).map { "\($0 + 1)" } }

    private func findings(
        _ repository: ResourceRepositoryMock, _ given: [String: String] = [:], secrets: [String] = []
    ) async -> [LiveFinding] {
        let check = LiveCheck(
            [repository], log: log, inputs: LiveInputs(given), redactor: Redactor(secrets: secrets))
        let started = Lock<[String]>([])
        let findings = await check.run { name in started.withLock { $0.append(name) } }
        #expect(started.withLock { $0 } == ["thing"] && findings.allSatisfy { $0.resource == "thing" })
        return findings
    }

    private static func shown(_ findings: [LiveFinding]) -> [String] {
        findings.map { [$0.operation, $0.detail, $0.items.map { "\($0)" }].compactMap { $0 }.joined(separator: " ") }
    }

    // MARK: Operations

    @Test(
        arguments: [
            (list, [:], ["list 3"]), ("\(list), \(get)", [:], ["list 3", "get id=1 1"]),
            ("\(list), \(get)", ["id": "7"], ["list 3", "get id=7 1"]),
            ("\(list), \(many)", [:], ["list 3", "getMany of 2 ids 1"]),
            (many, ["id": "7"], ["getMany of 1 id 1"]),
            ("\(get), \(many)", ["id": "7"], ["get id=7 1", "getMany of 1 id 1"]),
        ] as [(String, [String: String], [String])])
    func everyOperationIsCalled(rest: String, given: [String: String], shown: [String]) async throws {
        let repository = try repository(rest)
        #expect(Self.shown(await findings(repository, given)) == shown)
        let hasList = rest.contains("list")
        for call in repository.calls {
            switch call {
            case .items(let ids, let control):
                #expect(ids == (hasList ? ["1", "2"] : ["7"]) && control == CacheControl(.none))
            case .item(let id, let control, _): #expect(id == given["id"] ?? "1" && control == CacheControl(.none))
            default: break
            }
        }
    }

    @Test(arguments: [(get, "get"), (many, "getMany")])
    func operationWithoutAKnownIDIsNotCalled(rest: String, operation: String) async throws {
        let repository = try repository(rest)
        let findings = await findings(repository)
        #expect(Self.shown(findings) == [operation] && repository.calls.isEmpty)
        #expect(findings[0].notTried == "no id is known; add --with thing.id=...")
    }

    /// A page that an API returns twice can be detected only without the cache.
    @Test(
        arguments: [
            (#"{"style": "page", "param": "page"}"#, CachePolicy.none),
            (#"{"style": "page", "param": "page", "pages": "pages"}"#, .remoteFirst),
            (#"{"style": "cursor", "param": "after", "next": "next"}"#, .remoteFirst),
        ])
    func listIsReadWithTheCacheOnlyIfItMarksItsEnd(pagination: String, policy: CachePolicy) async throws {
        let repository = try repository(#""list": {"path": "/things", "pagination": \#(pagination)}"#)
        _ = await findings(repository)
        let pages = repository.calls.compactMap { if case .page(_, let control) = $0 { control } else { nil } }
        #expect(pages == [CacheControl(policy)])
    }

    @Test func failedListHasNoSync() async throws {
        let sync = #", "sync": {"style": "since", "param": "since", "from": "time"}"#
        let repository = try repository(Self.list + sync)
        #expect(Self.shown(await findings(repository)) == ["list 3", "sync 0"])
        repository.configure { $0.page = .failure(.remote(APIError(.serverError, "on fire"))) }
        #expect(Self.shown(await findings(repository)) == ["list"])
        #expect(Self.shown(await findings(try self.repository(Self.list))) == ["list 3"])
    }

    // MARK: Pages

    @Test(
        arguments: [
            (0, false), (5, false), (9, false), (10, true), (11, false), (15, false), (20, true), (25, true),
            (26, false),
            (100, true),
        ])
    func roundNumberOfItemsWithoutPaginationIsNoted(count: Int, isNoted: Bool) async throws {
        for (rest, isSingle) in [(Self.list, true), (Self.paged, false)] {
            let repository = try repository(rest)
            repository.configure { $0.page = .success(Self.page(Self.ids(count))) }
            let note = "no pagination is declared, but \(count) items look like a full page"
            #expect(await findings(repository).map(\.notes) == [isNoted && isSingle ? [note] : []])
        }
    }

    @Test func signsOfFurtherPagesAreNotedForAListWithoutPagination() async throws {
        for (rest, isSingle) in [(Self.list, true), (Self.paged, false)] {
            log.note(
                Exchange(
                    method: "GET", url: "http://h", status: 200, milliseconds: 1, attempts: 1, limits: [],
                    signs: ["'more' is true"], pagination: "{}"))
            let finding = try #require(await findings(try repository(rest)).first)
            #expect(finding.notes == (isSingle ? ["no pagination is declared, but 'more' is true"] : []))
            #expect(finding.missingPagination == (isSingle ? "{}" : nil))
            #expect(finding.exchanges == 1 && finding.exchange?.status == 200)
        }
    }

    /// The mock returns the same page for all requests.
    @Test(arguments: [1, 5, 7]) func equalPagesAreNoted(count: Int) async throws {
        let repository = try repository(Self.paged)
        let ids = Self.ids(count).map { $0 == "1" ? "s3cr3t-value" : $0 }
        repository.configure { $0.page = .success(Self.page(ids, #"{"next":2}"#)) }
        let findings = await findings(repository, secrets: ["s3cr3t-value"])
        #expect(Self.shown(findings) == ["list \(count)", "list page 2 \(count)"] && findings[0].notes == [])
        let listed = (["***"] + ids.dropFirst()).prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        #expect(
            findings[1].notes == [
                "\(count) of the ids are on the first page too: \(listed); both pages are equal: check the name of the"
                    + " page parameter"
            ])
        let pages = repository.calls.compactMap { if case .page(let request, _) = $0 { request.page } else { nil } }
        #expect(pages == [.number(1), .number(2)])
    }

    @Test(
        arguments: [
            (#"{"next":null}"#, nil, []), (#"{"next":null}"#, [], []),
            (#"{"next":null}"#, ["8"], ["1 item of the list could not be fetched by id"]),
            (#"{"next":null}"#, ["8", "9"], ["2 items of the list could not be fetched by id"]),
            (
                "{\"next\":null}\n[{\"index\":0,\"message\":\"no 'a'\"},{\"index\":1,\"message\":\"no 'b'\"}]", nil,
                ["2 items skipped, the first because: no 'a'"]
            ),
            (
                "{\"next\":null}\n[{\"index\":0,\"message\":\"no 'a'\"}]", ["8"],
                [
                    "1 item skipped, the first because: no 'a'", "1 item of the list could not be fetched by id",
                ]
            ),
        ] as [(String, [String]?, [String])])
    func itemsThatAPageLacksAreNoted(info: String, missing: [String]?, notes: [String]) async throws {
        let repository = try repository(Self.list)
        repository.configure { $0.page = .success(Self.page(["1"], info, missing: missing)) }
        log.note(warning: "a warning")
        #expect(await findings(repository).first?.notes == notes + ["a warning"])
    }

    @Test func itemsMissingInABatchAreNoted() async throws {
        let repository = try repository(Self.many)
        repository.configure {
            $0.items = .success(BatchAnswer(items: [], missing: ["7"], sources: [:], fallback: nil))
        }
        let findings = await findings(repository, ["id": "7"])
        #expect(findings.map(\.notes) == [["1 item of the list not found by id"]] && findings[0].items == 0)
    }

    @Test(
        arguments: [
            (.remote(APIError(.serverError, "on fire")), "on fire"),
            (.noPage(APIError(.notFound, "no page")), "no page"),
            (.notCached(resource: "thing"), "no request was made"), (.busy(limit: 3), "no request was made"),
        ] as [(RepositoryError, String)])
    func failedOperationHasTheErrorOfTheAPI(error: RepositoryError, message: String) async throws {
        let repository = try repository("\(Self.list), \(Self.get)")
        repository.configure {
            $0.page = .failure(error)
            $0.item = .failure(error)
        }
        let findings = await findings(repository, ["id": "7"])
        #expect(
            findings.map { $0.error?.message } == [message, message] && Self.shown(findings) == ["list", "get id=7"])
    }

    // MARK: Scopes and filters

    @Test(
        arguments: [
            (#"{"zoo": "string"}"#, [:], "the scope 'zoo' has no value; add --with zoo=..."),
            (#"{"zoo": "integer"}"#, ["zoo": "x"], "the scope 'zoo' must be an integer"),
            (#"{"zoo": "string"}"#, ["zoo": ""], "the scope 'zoo' must be a string"),
            (
                #"{"zoo": "string", "house": "string"}"#, ["zoo": "a"],
                "the scope 'house' has no value; add --with house=..."
            ),
            (#"{"zoo": "string"}"#, ["thing.zoo": "a"], nil), (#"{"zoo": "integer"}"#, ["zoo": "7"], nil),
            (#"{"zoo": {"type": "string", "default": "a"}}"#, [:], nil),
        ] as [(String, [String: String], String?)])
    func resourceIsTestedOnlyWithAScope(scope: String, given: [String: String], reason: String?) async throws {
        let repository = try repository(Self.list, #""scope": \#(scope), "#)
        let findings = await findings(repository, given)
        #expect(findings.map(\.notTried) == [reason])
        #expect(Self.shown(findings) == [reason == nil ? "list 3" : "*"])
        let scopes = repository.calls.compactMap { if case .scoped(let scope) = $0 { scope } else { nil } }
        let value: JSONValue = scope.contains("integer") ? .number("7") : "a"
        #expect(scopes == (reason == nil ? [ResourceScope([("zoo", value)])] : []))
    }

    @Test(
        arguments: [
            (#"{"kind": "k"}"#, [:], nil, []), (#"{"kind": "k"}"#, ["kind": "x"], nil, [.init("kind", "x")]),
            (
                #"{"kind": {"param": "k", "required": true}}"#, [:],
                "the filter 'kind' has no value; add --with kind=...", []
            ),
            (
                #"{"age": {"param": "k", "type": "integer"}}"#, ["age": "x"], "the filter 'age' must be an integer", []
            ),
            (
                #"{"age": {"param": "k", "type": "integer", "default": 5}, "kind": "k2"}"#, ["kind": "x"], nil,
                [.init("age", .number("5")), .init("kind", "x")]
            ),
        ] as [(String, [String: String], String?, [PageRequest.Filter])])
    func listIsTestedOnlyWithItsRequiredFilters(
        filters: String, given: [String: String], reason: String?, sent: [PageRequest.Filter]
    ) async throws {
        let list = #""list": {"path": "/things", "filters": \#(filters)}"#
        let repository = try repository(list + #", "sync": {"style": "since", "param": "since", "from": "time"}"#)
        let findings = await findings(repository, given)
        #expect(findings[0].notTried == reason)
        let pages = repository.calls.compactMap { if case .page(let request, _) = $0 { request.filters } else { nil } }
        #expect(pages == (reason == nil ? [sent] : []))
        #expect(findings.count == (reason == nil ? 2 : 1))
    }
}
