import DataSources
import JSON
import TestSupport
import Testing

@testable import Model
@testable import Repositories

/// Tests mapped pages: their items, their page info, and partial items.
@Suite(.limited) struct PageMapperTests {
    private static func page(_ items: [String]) throws -> PageDTO {
        PageDTO(
            items: try items.enumerated().map { try Stage.dto($1, path: "results[\($0)]") },
            info: PageInfoDTO(current: .number(2), pages: 3, count: 42, next: .number(3), previous: .number(1)))
    }

    @Test func itemsAndPageInfoAreMapped() throws {
        let mapper = PageMapper(try Declaration().resource())
        let page = try mapper.map(Self.page([#"{"name": "b", "id": "2"}"#, #"{"id": 1, "name": "a"}"#]))
        #expect(page.ids == ["2", "1"])
        #expect(page.items.map(\.text) == [Stage.text("2", "b"), Stage.text("1", "a")])
        #expect(page.info.text == #"{"current":2,"pages":3,"count":42,"next":3,"previous":1}"#)
    }

    @Test func mismatchedItemFailsThePageAndIsReportedWithItsPath() throws {
        let mapper = PageMapper(try Declaration().resource())
        let page = try Self.page([#"{"id": 1, "name": "a"}"#, #"{"id": 2, "name": 5}"#])
        let error = #expect(throws: APIError.self) { try mapper.map(page) }
        #expect(error?.kind == .decodingFailed)
        #expect(error?.path == "results[1].name")
    }

    @Test func nullItemIsAnErrorOrIsSkipped() throws {
        let page = try Self.page([#"{"id": 1, "name": "a"}"#, "null"])
        let error = #expect(throws: APIError.self) { try PageMapper(try Declaration().resource()).map(page) }
        #expect(error?.message == "'results[1]' must be an object, but is null")
        let skipping = try PageMapper(try Declaration(more: #""onMismatch": "skip","#).resource()).map(page)
        #expect(skipping.ids == ["1"])
        #expect(skipping.skipped != nil)
    }

    @Test func duplicateIDFailsThePage() throws {
        let mapper = PageMapper(try Declaration().resource())
        let page = try Self.page([#"{"id": 1, "name": "a"}"#, #"{"id": "1", "name": "b"}"#])
        let error = #expect(throws: APIError.self) { try mapper.map(page) }
        #expect(error?.kind == .decodingFailed)
        #expect(error?.path == "results[1]")
        // Only items that are not skipped can have duplicate ids.
        let skipping = PageMapper(try Declaration(more: #""onMismatch": "skip","#).resource())
        #expect(throws: APIError.self) { try skipping.map(page) }
    }

    @Test func visuallyEqualIDsAreDistinct() throws {
        let mapper = PageMapper(try Declaration(id: "string", fields: nil).resource())
        let page = try mapper.map(Self.page([#"{"id": "\u00e9"}"#, #"{"id": "e\u0301"}"#]))
        #expect(page.ids.count == 2)
    }

    @Test func skippedItemsAreListed() throws {
        let mapper = PageMapper(try Declaration(more: #""onMismatch": "skip","#).resource()) {
            $0.replacing("hush", with: "***")
        }
        let page = try mapper.map(
            Self.page([
                #"{"id": 1, "name": "a"}"#, #"{"id": 2}"#, #"{"id": "hush", "name": "b"}"#, #"{"id": 4, "name": "d"}"#,
            ]))
        #expect(page.ids == ["1", "4"])
        #expect(page.items.map(\.text) == [Stage.text("1", "a"), Stage.text("4", "d")])
        #expect(page.info.text == #"{"current":2,"pages":3,"count":42,"next":3,"previous":1}"#)
        let missing =
            "'results[1].name' must be a string, but is missing; if the value may be missing, declare it optional with '?'"
        let secret = #"'results[2].id' must be an integer, but is the string \"***\""#
        let told =
            #"[{"index":1,"path":"results[1].name","message":"\#(missing)"},"#
            + #"{"index":2,"path":"results[2].id","message":"\#(secret)"}]"#
        #expect(page.skipped?.text == told)
        #expect(try mapper.map(Self.page([])).skipped == nil)
    }

    @Test func unknownPageInfoIsNull() {
        let mapper = PageInfoMapper()
        let full = PageInfoDTO(
            current: .opaque("a\"b"), pages: 3, count: 0, next: .opaque("c"), previous: .number(1))
        #expect(
            mapper.map(PagePosition(full)).text == #"{"current":"a\"b","pages":3,"count":0,"next":"c","previous":1}"#)
        let bare = PageInfoDTO(current: .number(1))
        #expect(
            mapper.map(PagePosition(bare)).text
                == #"{"current":1,"pages":null,"count":null,"next":null,"previous":null}"#)
    }

    @Test func partialItemsMayLackFieldsButAreChecked() throws {
        let fields = #"{"id": "integer", "name": "string", "note": "string?", "in": {"x": "any", "y": "any"}}"#
        let mapper = PageMapper(try Declaration(fields: fields, isComplete: false).resource())
        let page = try mapper.map(Self.page([#"{"id": 1}"#, #"{"id": 2, "name": "b", "in": {"y": 1}}"#]))
        #expect(
            page.items.map(\.text) == [#"{"id":1,"note":null}"#, #"{"id":2,"name":"b","note":null,"in":{"y":1}}"#])
        for (item, path) in [(#"{"id": 1, "name": 5}"#, "name"), (#"{"id": 1, "name": null}"#, "name"), ("{}", "id")] {
            let error = #expect(throws: APIError.self) { try mapper.map(Self.page([item])) }
            #expect(error?.path == "results[0].\(path)")
        }
    }
}

/// Tests that a list whose items lack fields stores pages, but no complete items.
@Suite(.limited) struct PartialListTests {
    private static func stage() throws -> Stage {
        let stage = try Stage(Declaration(isComplete: false), maxIDs: 10)
        let item = try Stage.dto(#"{"id": 1}"#)
        stage.remote.setPage { .success(PageDTO(items: [item], info: PageInfoDTO(current: $0.page))) }
        return stage
    }

    @Test func partialItemsNeverAnswerAGet() async throws {
        let stage = try Self.stage()
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        for policy in [CachePolicy.localFirst, .localOnly] {
            #expect(stage.repository.cachedItem("1", CacheControl(policy)) == nil)
            #expect(stage.repository.cachedItems(["1"], CacheControl(policy)) == nil)
        }
        let notCached = RepositoryError.notCached(resource: "thing")
        await #expect(throws: notCached) { try await stage.repository.item("1", CacheControl(.localOnly)) }
        await #expect(throws: notCached) { try await stage.repository.items(["1"], CacheControl(.localOnly)) }
        let error = APIError(.network, "reset")
        stage.remote.fail(error)
        for policy in [CachePolicy.localFirst, .remoteFirst] {
            await #expect(throws: RepositoryError.remote(error), "a partial item is no fallback either") {
                try await stage.repository.item("1", CacheControl(policy))
            }
        }
    }

    @Test func partialPageIsAHitInBothLevels() async throws {
        let stage = try Self.stage()
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        #expect(stage.repository.cachedPage(PageRequest(), CacheControl())?.value.items.map(\.text) == [#"{"id":1}"#])
        _ = stage.memory.remove(CacheSelection())
        let stored = try await stage.repository.page(PageRequest(), CacheControl())
        #expect(stored.source == .persistence)
        #expect(stored.value.items.map(\.text) == [#"{"id":1}"#])
    }

    @Test func completeAndPartialItemsAreStoredSeparately() async throws {
        let stage = try Self.stage()
        try stage.serve("1")
        _ = try await stage.repository.item("1", CacheControl())
        _ = try await stage.repository.page(PageRequest(), CacheControl())
        #expect(stage.repository.cachedItem("1", CacheControl())?.value.text == Stage.text("1", "new"))
        #expect(stage.repository.cachedPage(PageRequest(), CacheControl())?.value.items.map(\.text) == [#"{"id":1}"#])
        stage.remote.fail(APIError(.notFound, "gone", status: 404))
        await #expect(throws: RepositoryError.self) { try await stage.repository.item("1", CacheControl(.remoteFirst)) }
        #expect(stage.repository.cachedItem("1", CacheControl()) == nil)
    }
}
