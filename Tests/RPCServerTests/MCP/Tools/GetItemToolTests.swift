import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct GetItemToolTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private static func item(_ id: String, size: Int = 0) -> String {
        "{\"id\":\"\(id)\",\"title\":\"\(String(repeating: "x", count: size))\"}"
    }

    @Test func toolReturnsTheMethodResultWithItsAge() async throws {
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#, isStale: true) }
        stage.clock.advance(milliseconds: 90_999)
        #expect(
            try await stage.shown("get_item", #"{"resource":"book","id":"a"}"#)
                == #"{"item":{"id":"a"},"source":"memory",\#(Answers.fetchedAt),"age":90,"stale":true}"#)
    }

    /// If the clock was set back, an answer must not have a negative age.
    @Test func ageOfAnItemIsNeverNegative() async throws {
        stage.books.configure { $0.cachedItem = Answers.item("{}") }
        stage.clock.advance(milliseconds: -60_000)
        #expect(try await stage.shown("get_item", #"{"resource":"book","id":"a"}"#).contains(#""age":0,"#))
    }

    @Test func argumentsArePassedToTheMethod() async throws {
        stage.books.configure { $0.item = .success(Answers.item(#"{"id":"7","title":"t"}"#, from: .remote)) }
        let arguments = #"{"resource":"book","id":7,"fields":["title"],"cachePolicy":"remoteFirst","maxAge":"5m"}"#
        #expect(try await stage.shown("get_item", arguments).hasPrefix(#"{"item":{"title":"t"},"source":"remote","#))
        let control = CacheControl(.remoteFirst, maxAge: 300_000)
        #expect(stage.books.calls == [.cachedItem("7", control), .item("7", control)])
    }

    @Test func nullArgumentCountsAsAbsent() async throws {
        stage.books.configure { $0.cachedItem = Answers.item("{}") }
        let arguments = #"{"resource":"book","id":"a","ids":null,"scope":null,"fields":null,"maxAge":null}"#
        #expect(try await stage.shown("get_item", arguments).hasPrefix(#"{"item":{}"#))
        #expect(stage.books.calls == [.cachedItem("a", CacheControl())])
    }

    @Test func scopeArgumentOfAToolSelectsTheParents() async throws {
        stage.leaves.configure { $0.cachedItem = Answers.item("{}") }
        _ = try await stage.shown("get_item", #"{"resource":"leaf","id":7,"scope":{"branch":3,"tree":"oak"}}"#)
        let scope = ResourceScope([("tree", "oak"), ("branch", 3)])
        #expect(stage.leaves.calls == [.scoped(scope), .cachedItem("7", CacheControl())])
    }

    @Test(arguments: [#"{"resource":"book"}"#, #"{"resource":"book","id":"","ids":[]}"#])
    func getItemToolRequiresAnId(arguments: String) async throws {
        #expect(
            try await stage.shown("get_item", arguments) == "no id: pass 'id' for one item, or 'ids' for several")
    }

    /// A call may contain both `id` and `ids`, because some hosts require all properties of a schema.
    @Test(arguments: [
        (#""id":"a","ids":["b","a"]"#, ["a", "b"]), (#""id":"a","ids":["a"]"#, ["a"]), (#""id":"","ids":["b"]"#, ["b"]),
        (#""id":7,"ids":"[8,\"7\"]""#, ["7", "8"]),
    ])
    func idArgumentIsAddedToTheIdsArgument(arguments: String, ids: [String]) async throws {
        stage.books.configure {
            $0.items = .success(BatchAnswer(items: [], missing: [], sources: [:], fallback: nil))
        }
        #expect(
            try await stage.shown("get_item", "{\"resource\":\"book\",\(arguments)}").hasPrefix(#"{"items":[],"#))
        #expect(stage.books.calls == [.cachedItems(ids, CacheControl()), .items(ids, CacheControl())])
    }

    @Test func invalidIdBesideIdsIsRefused() async throws {
        let text = try await stage.shown("get_item", #"{"resource":"book","id":{"a":1},"ids":["b"]}"#)
        #expect(text == "'id' must be an integer or a string" && stage.books.calls.isEmpty)
    }

    @Test func idArgumentCountsTowardsTheMaximumNumberOfIds() async throws {
        let ids = (0..<50).map { "\"\($0)\"" }.joined(separator: ",")
        let text = try await stage.shown("get_item", "{\"resource\":\"book\",\"id\":\"a\",\"ids\":[\(ids)]}")
        #expect(text == "'ids' has 51 ids; pass at most 50 in one call" && stage.books.calls.isEmpty)
    }

    @Test func emptyIdsCountAsAbsent() async throws {
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        _ = try await stage.shown("get_item", #"{"resource":"book","id":"a","ids":[],"maxAge":"","scope":{}}"#)
        #expect(stage.books.calls == [.cachedItem("a", CacheControl())])
    }

    @Test func numberOfIdsIsLimited() async throws {
        stage.books.configure {
            $0.items = .success(BatchAnswer(items: [], missing: [], sources: [:], fallback: nil))
        }
        func ids(_ count: Int) -> String {
            let ids = (0..<count).map { "\"\($0)\"" }.joined(separator: ",")
            return "{\"resource\":\"book\",\"ids\":[\(ids)]}"
        }
        #expect(try await stage.shown("get_item", ids(51)) == "'ids' has 51 ids; pass at most 50 in one call")
        #expect(stage.books.calls.isEmpty)
        #expect(try await stage.shown("get_item", ids(50)).hasPrefix(#"{"items":[],"#))
        let all = (0..<50).map(String.init)
        #expect(stage.books.calls == [.cachedItems(all, CacheControl()), .items(all, CacheControl())])
    }

    @Test func itemsInMemoryAreReturnedAtOnceWithTheirAge() throws {
        stage.books.configure {
            $0.cachedItems = BatchAnswer(
                items: [Array(Self.item("1").utf8)], missing: [], sources: [.memory: 1], fallback: nil,
                oldest: Answers.moment)
        }
        stage.clock.advance(milliseconds: 60_000)
        let call = #""name":"get_item","arguments":{"resource":"book","ids":["1"]},"#
        let result = try JSONValue(parsing: stage.session.handle(MCPStage.request("tools/call", call)))["result"]
        #expect(
            result?["structuredContent"]?.text == """
                {"items":[\(Self.item("1"))],"missing":[],"sources":{"memory":1,"persistence":0,"remote":0},"age":60}
                """)
    }

    @Test func itemsInMemoryReportProgress() async throws {
        let answer = BatchAnswer(items: [], missing: [], sources: [:], fallback: nil)
        stage.books.configure {
            $0.cachedItems = answer
            $0.items = .success(answer)
            $0.progress = [(1, 1)]
        }
        let call = #""name":"get_item","arguments":{"resource":"book","ids":["1"]},"#
        #expect(stage.session.handle(MCPStage.request("tools/call", call, token: "5")) == "")
        let messages = await stage.session.sink.wait(for: 2)
        #expect(messages[0].contains(#""params":{"progressToken":5,"progress":1,"total":1,"#))
        #expect(stage.books.calls == [.items(["1"], CacheControl())])
    }

    @Test func existingItemsAndMissingIdsAreReturned() async throws {
        stage.books.configure {
            $0.items = .success(
                BatchAnswer(
                    items: ["1", "3"].map { Array(Self.item($0).utf8) }, missing: ["2"], sources: [.memory: 2],
                    fallback: nil, oldest: Answers.moment))
        }
        stage.clock.advance(milliseconds: 60_000)
        #expect(
            try await stage.shown("get_item", #"{"resource":"book","ids":["1",2,"3"]}"#) == """
                {"items":[\(Self.item("1")),\(Self.item("3"))],"missing":["2"],\
                "sources":{"memory":2,"persistence":0,"remote":0},"age":60}
                """)
    }

    /// `omitted` lists the ids of existing items that did not fit, so that a model can request them next.
    @Test func idsBeyondTheSizeLimitAreListedAsOmitted() async throws {
        let items = ["a", "c", "d", "e"].map { Array(Self.item($0, size: 25_000).utf8) }
        stage.books.configure {
            $0.items = .success(BatchAnswer(items: items, missing: ["b"], sources: [.memory: 4], fallback: nil))
        }
        let shown = try JSONValue(
            parsing: await stage.shown("get_item", #"{"resource":"book","ids":["a","b","c","d","e"]}"#))
        #expect(shown["items"]?[1]?["id"] == "c" && shown["items"]?[2] == nil)
        #expect(shown["omitted"] == ["d", "e"] && shown["missing"] == ["b"])
    }
}
