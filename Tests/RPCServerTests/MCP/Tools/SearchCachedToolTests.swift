import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

/// `search_cached`, `prefetch_list` and `describe_resource`.
@Suite(.limited) struct SearchCachedToolTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private func find(_ count: Int, of all: Int, size: Int = 0) {
        let text = String(repeating: "x", count: size)
        let items = (0..<count).map { Array("{\"id\":\"\($0)\",\"title\":\"\(text)\"}".utf8) }
        stage.books.configure { $0.hits = .success(SearchHits(items: items, count: all)) }
    }

    private func shown(_ arguments: String) async throws -> JSONValue {
        try JSONValue(parsing: await stage.shown("search_cached", "{\"resource\":\"book\"\(arguments)}"))
    }

    @Test func foundItemsAreReturned() async throws {
        find(1, of: 1)
        #expect(try await shown("").text == #"{"items":[{"id":"0","title":""}],"count":1,"cached":1}"#)
        #expect(stage.books.calls == [.search(nil, [], limit: 10, offset: 0)])
    }

    @Test func ageOfAnAnswerIsTheAgeOfItsOldestItem() async throws {
        let hits = SearchHits(items: [Array("{}".utf8)], count: 2, oldest: Answers.moment)
        stage.books.configure { $0.hits = .success(hits) }
        stage.clock.advance(milliseconds: 90_000)
        #expect(try await shown("").text == #"{"items":[{}],"count":2,"cached":2,"age":90,"nextOffset":1}"#)
    }

    @Test func argumentsArePassedToTheMethod() async throws {
        find(1, of: 1)
        let arguments = #","text":"w","filter":{"title":"t"},"limit":3,"offset":4,"fields":["id"]"#
        #expect(try await shown(arguments)["items"] == [["id": "0"]])
        #expect(
            stage.books.calls == [
                .search("w", [PageRequest.Filter("title", "t")], limit: 3, offset: 4),
                .search(nil, [], limit: 0, offset: 0),
            ])
    }

    @Test func limitIsCappedAtTheMaximumOfTheMethod() async throws {
        find(0, of: 0)
        _ = try await shown(",\"limit\":9223372036854775807")
        #expect(stage.books.calls == [.search(nil, [], limit: 1000, offset: 0)])
    }

    @Test(arguments: [(0, 3, 5, 3), (2, 2, 5, 4), (4, 1, 9, 5)])
    func nextOffsetIsReturnedIfThereAreMoreItems(offset: Int, count: Int, all: Int, next: Int) async throws {
        find(count, of: all)
        #expect(try await shown(",\"offset\":\(offset)")["nextOffset"] == .integer(next))
    }

    @Test(arguments: [(0, 3, 3), (3, 2, 5), (5, 0, 5), (9, 0, 5), (Int.max, 1, 5), (Int.max, 0, Int.max)])
    func nextOffsetIsAbsentAtTheEnd(offset: Int, count: Int, all: Int) async throws {
        find(count, of: all)
        let shown = try await shown(",\"offset\":\(offset)")
        #expect(shown["items"] != nil && shown["nextOffset"] == nil)
    }

    @Test func nextOffsetStartsAfterTheItemsWithinTheSizeLimit() async throws {
        find(5, of: 5, size: 25_000)
        let shown = try await shown(",\"offset\":10")
        #expect(shown["items"]?[1] != nil && shown["items"]?[2] == nil && shown["nextOffset"] == nil)
        find(5, of: 50, size: 25_000)
        #expect(try await self.shown(",\"offset\":10")["nextOffset"] == 12)
    }

    /// A model must not conclude from an empty cache that there are no items.
    @Test func searchInAnEmptyCacheSuggestsTheNextTool() async throws {
        find(0, of: 0)
        #expect(
            try await shown(#","text":"w""#).text
                == #"{"items":[],"count":0,"cached":0,"hint":"nothing is cached for 'book': "#
                + #"fetch items with prefetch_list"}"#)
    }

    @Test func partialScopeNarrowsTheSearch() async throws {
        stage.leaves.configure { $0.hits = .success(SearchHits(items: [], count: 0)) }
        _ = try await stage.shown("search_cached", #"{"resource":"leaf","scope":{"branch":3}}"#)
        let narrowing = ScopeNarrowing([("branch", 3)])
        #expect(stage.leaves.calls == [.search(nil, [], scope: narrowing, limit: 10, offset: 0)])
    }

    @Test(arguments: [("{\"maxPages\":3,", 3), ("{\"maxPages\":null,", 20), ("{", 20)])
    func numberOfPagesOfThePrefetchToolIsLimited(arguments: String, limit: Int) async throws {
        var answer = PrefetchAnswer()
        (answer.pages, answer.items, answer.fetched) = (limit, 9, 1)
        stage.notes.configure { [answer] in $0.prefetch = .success(answer) }
        let shown = try await stage.shown("prefetch_list", arguments + #""resource":"note","filter":{"word":"w"}}"#)
        #expect(shown.hasPrefix("{\"pages\":\(limit),\"items\":9,\"fetched\":1,\"reused\":0,"))
        #expect(
            stage.notes.calls == [.prefetch([PageRequest.Filter("word", "w")], limit: limit, CacheControl())])
    }

    @Test func prefetchReportsItsProgress() async throws {
        stage.notes.configure {
            $0.prefetch = .success(PrefetchAnswer())
            $0.pages = [(1, nil), (2, 4)]
        }
        let call = #""name":"prefetch_list","arguments":{"resource":"note"},"#
        #expect(stage.session.handle(MCPStage.request("tools/call", call, token: "5")) == "")
        let messages = await stage.session.sink.wait(for: 3)
        #expect(messages[0].hasSuffix(#""params":{"progressToken":5,"progress":1,"message":"page 1"}}"#))
        #expect(messages[1].hasSuffix(#"{"progressToken":5,"progress":2,"total":4,"message":"page 2 of 4"}}"#))
        #expect(messages[2].contains(#""isError":false"#))
    }

    @Test func toolDescribeResourceReturnsTypesToolsAndURITemplate() async throws {
        let leaf = try JSONValue(parsing: await stage.shown("describe_resource", #"{"resource":"leaf"}"#))
        #expect(leaf["uriTemplate"] == "larder://leaf/{tree}/{branch}/{id}")
        for word in ["interface Leaf", "colour", "LeafScope", "tree", "branch"] {
            #expect(leaf["types"]?.plainText.contains(word) == true)
        }
        let note = try JSONValue(parsing: await stage.shown("describe_resource", #"{"resource":"note"}"#))
        #expect(note["uriTemplate"] == nil && note["types"]?.plainText.contains("open?: boolean") == true)
        #expect(note["tools"] == ["list_items", "prefetch_list", "search_cached"])
    }
}
