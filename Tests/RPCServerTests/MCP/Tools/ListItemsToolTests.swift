import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct ListItemsToolTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    /// Serves a page of notes with ids from 0.
    private func serve(_ count: Int, next: String = "\"n2\"", size: Int = 0) {
        let text = String(repeating: "x", count: size)
        let items = (0..<count).map { "{\"id\":\($0),\"text\":\"\(text)\"}" }
        stage.notes.configure { $0.cachedPage = Answers.page(items, "{\"next\":\(next),\"count\":\(count)}") }
    }

    private func shown(_ arguments: String) async throws -> JSONValue {
        try JSONValue(parsing: await stage.shown("list_items", "{\"resource\":\"note\"\(arguments)}"))
    }

    private static func ids(_ shown: JSONValue) -> [String] {
        guard case .array(let items)? = shown["items"] else { return [] }
        return items.compactMap { $0["id"]?.text }
    }

    @Test func pageWithinTheSizeLimitIsReturnedWhole() async throws {
        serve(2)
        #expect(
            try await shown("").text == """
                {"items":[{"id":0,"text":""},{"id":1,"text":""}],"page":{"next":"n2","count":2},"source":"memory",\
                \(Answers.fetchedAt),"age":0,"stale":false}
                """)
    }

    @Test func argumentsArePassedToTheMethod() async throws {
        serve(1)
        _ = try await shown(#","page":"n9","filter":{"open":true,"word":"w"},"cachePolicy":"localOnly","maxAge":5"#)
        let request = PageRequest(
            page: .opaque("n9"), filters: [PageRequest.Filter("open", true), PageRequest.Filter("word", "w")])
        #expect(stage.notes.calls == [.cachedPage(request, CacheControl(.localOnly, maxAge: 5000))])
    }

    @Test func itemsBeyondTheLimitAreReturnedByTheNextCall() async throws {
        serve(5)
        var seen: [[String]] = []
        var page: JSONValue = .null
        repeat {
            let shown = try await shown(",\"limit\":2,\"page\":\(page.text)")
            seen.append(Self.ids(shown))
            page = shown["page"]?["next"] ?? .null
        } while page != "n2" && seen.count < 9
        #expect(seen == [["0", "1"], ["2", "3"], ["4"]])
        // All calls read the same page.
        let first = stage.notes.calls[0]
        #expect(stage.notes.calls == [first, first, first])
    }

    @Test(arguments: [5, 6, 1000]) func largeLimitReturnsTheWholePage(limit: Int) async throws {
        serve(5, next: "null")
        let shown = try await shown(",\"limit\":\(limit)")
        #expect(Self.ids(shown).count == 5 && shown["page"]?["next"] == .null)
    }

    /// Hosts truncate longer answers, so that these are no longer valid JSON.
    @Test func itemsBeyondTheSizeLimitAreReturnedByTheNextCall() async throws {
        serve(5, size: 25_000)
        let first = try await shown("")
        #expect(Self.ids(first) == ["0", "1"] && first.text.utf8.count < 61_000)
        let next = try #require(first["page"]?["next"])
        #expect(try await Self.ids(shown(",\"page\":\(next.text)")) == ["2", "3"])
    }

    @Test func singleLargeItemIsReturned() async throws {
        serve(2, size: 100_000)
        let first = try await shown("")
        #expect(Self.ids(first) == ["0"])
        let next = try #require(first["page"]?["next"])
        let second = try await shown(",\"page\":\(next.text)")
        #expect(Self.ids(second) == ["1"] && second["page"]?["next"] == "n2")
    }

    /// The list may have become shorter since the last call.
    @Test(arguments: ["larder:3:null", "larder:4:null", "larder:9223372036854775807:null"])
    func listPositionPastTheEndOfAPageReturnsTheNextPageToken(page: String) async throws {
        serve(3)
        let shown = try await shown(",\"page\":\"\(page)\"")
        #expect(Self.ids(shown) == [] && shown["page"]?["next"] == "n2")
    }

    /// A page token of the API may look like one of Larder's positions within a page.
    @Test(arguments: ["larder:2:null", "larder:", "larder:0:7"])
    func pageTokenThatLooksLikeAPositionIsPassedOn(name: String) async throws {
        serve(1, next: "\"\(name)\"")
        let first = try await shown("")
        let next = try #require(first["page"]?["next"])
        _ = try await shown(",\"page\":\(next.text)")
        #expect(stage.notes.calls.last == .cachedPage(PageRequest(page: .opaque(name)), CacheControl()))
    }

    @Test(arguments: ["0", "-1", "1.5", "\"x\"", "[2]", "true", "9223372036854775808"])
    func invalidLimitIsRefused(limit: String) async throws {
        let text = try await stage.shown("list_items", "{\"resource\":\"note\",\"limit\":\(limit)}")
        #expect(text == "'limit' must be an integer of at least 1" && stage.notes.calls.isEmpty)
    }

    @Test(arguments: ["larder:", "larder:1", "larder:1:", "larder:-1:null", "larder:x:null", "larder:1:{"])
    func invalidPositionIsRefused(page: String) async throws {
        let text = try await stage.shown("list_items", "{\"resource\":\"note\",\"page\":\"\(page)\"}")
        #expect(text == "'page' must be an unchanged 'page.next' of an earlier answer" && stage.notes.calls.isEmpty)
    }
}
