import DataSources
import JSON
import Repositories
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

/// `resources/read`, and the lists of resources and templates.
@Suite(.limited) struct MCPResourceReadTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private func read(_ uri: String) async throws -> JSONValue {
        try await stage.reply("resources/read", "\"uri\":\(JSONValue.string(uri).text),")
    }

    @Test func itemIsReturnedAsJSONText() async throws {
        stage.books.configure { $0.item = .success(Answers.item(#"{"id":"a/b"}"#, from: .remote)) }
        let result = try await read("larder://book/a%2Fb")["result"]
        #expect(
            result?["contents"]?.text == """
                [{"uri":"larder://book/a%2Fb","mimeType":"application/json","text":"{\\"id\\":\\"a/b\\"}",\
                "_meta":{"source":"remote",\(Answers.fetchedAt),"age":0,"stale":false}}]
                """)
        #expect(stage.books.calls.last == .item("a/b", CacheControl()))
    }

    @Test func scopeIsReadFromTheURI() async throws {
        stage.leaves.configure { $0.cachedItem = Answers.item(#"{"id":7}"#) }
        #expect(try await read("larder://leaf/oak/3/7")["result"]?["contents"]?[0]?["text"] == #"{"id":7}"#)
        let scope = ResourceScope([("tree", "oak"), ("branch", 3)])
        #expect(stage.leaves.calls == [.scoped(scope), .cachedItem("7", CacheControl())])
    }

    /// A book is fresh for an hour. The lifetime is the rest of this hour.
    @Test(arguments: [
        (0, false, 3_600_000), (60_500, false, 3_539_500), (3_599_000, false, 1000), (3_600_000, false, 0),
        (9_000_000, false, 0), (-60_000, false, 3_600_000), (0, true, 0),
    ])
    func cacheLifetimeOfAResourceIsItsRemainingFreshness(age: Int, isStale: Bool, left: Int) async throws {
        stage.books.configure { $0.cachedItem = Answers.item("{}", isStale: isStale) }
        stage.clock.advance(milliseconds: Int64(age))
        let result = try await read("larder://book/1")["result"]
        #expect(result?["ttlMs"] == .integer(left) && result?["cacheScope"] == "private")
    }

    @Test func unlimitedFreshnessGivesACacheLifetimeOfADay() async throws {
        stage.leaves.configure { $0.cachedItem = Answers.item("{}") }
        stage.clock.advance(milliseconds: 1_000_000_000)
        #expect(try await read("larder://leaf/oak/3/7")["result"]?["ttlMs"] == 86_400_000)
    }

    @Test func resourceURIReturnsTheDescription() async throws {
        let result = try await read("larder://leaf")["result"]
        let shown = try await stage.shown("describe_resource", #"{"resource":"leaf"}"#)
        #expect(result?["contents"]?[0]?["text"]?.plainText == shown && result?["contents"]?[0]?["_meta"] == nil)
        #expect(result?["ttlMs"] == 3_600_000 && result?["cacheScope"] == "public")
    }

    @Test(arguments: ["larder://book/gone", "larder://nothing/1", "larder://book/", "file:///etc/passwd", ""])
    func errorCodeOfAMissingResourceDependsOnTheMCPVersion(uri: String) async throws {
        let gone = APIError(.notFound, "no such book", status: 404)
        stage.books.configure { $0.item = .failure(.remote(gone)) }
        let error = try await read(uri)["error"]
        #expect(error?["code"] == -32602 && error?["data"] == ["uri": .string(uri)])
        stage.initialize()
        let older = await stage.session.call("resources/read", "{\"uri\":\"\(uri)\"}")
        #expect(older.hasPrefix(#""error":{"code":-32002,"#) && older.hasSuffix("\"data\":{\"uri\":\"\(uri)\"}}"))
    }

    @Test func failureOtherThanNotFoundIsNotReportedAsAMissingResource() async throws {
        stage.books.configure { $0.item = .failure(.busy(limit: 3)) }
        let error = try await read("larder://book/1")["error"]
        #expect(error?["code"] != -32602 && error?["code"] != -32002 && error?["data"]?["uri"] == nil)
    }

    @Test(arguments: ["", "\"uri\":7,", "\"uri\":null,", "\"uri\":[\"larder://book\"],"])
    func uriMustBeAString(members: String) async throws {
        let error = try await stage.error("resources/read", members)
        #expect(error?["code"] == -32602 && error?["data"] == nil)
    }

    @Test func resourcesAndTemplatesAreListed() async throws {
        let list = try await stage.reply("resources/list")["result"]
        let uris: [JSONValue?] = (0..<4).map { list?["resources"]?[$0]?["uri"] }
        #expect(uris == ["larder://book", "larder://leaf", "larder://note", nil])
        let templates = try await stage.reply("resources/templates/list")["result"]
        let texts: [JSONValue?] = (0..<3).map { templates?["resourceTemplates"]?[$0]?["uriTemplate"] }
        #expect(texts == ["larder://book/{id}", "larder://leaf/{tree}/{branch}/{id}", nil])
        for result in [list, templates] { #expect(result?["nextCursor"] == nil && result?["cacheScope"] == "public") }
    }
}
