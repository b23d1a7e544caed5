import DataSources
import JSON
import TestSupport
import Testing

@testable import Model
@testable import RPCServer

@Suite(.limited) struct MCPCompletionTests {
    private static let template = "larder://leaf/{tree}/{branch}/{id}"
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private static func members(_ name: String, _ value: String, context: String = "") -> String {
        """
        "ref":{"type":"ref/resource","uri":"\(template)"},"argument":{"name":"\(name)","value":"\(value)"},\(context)
        """
    }

    private func find(_ count: Int) {
        let resource = ResourceKey(name: "leaf", fingerprint: .init(high: 1, low: 2))
        let keys = (0..<count).map { ItemKey(resource: resource, id: "\($0)") }
        stage.leaves.configure { $0.hits = .success(SearchHits(items: [], count: count, keys: keys)) }
    }

    @Test func idIsCompletedFromTheCache() async throws {
        find(3)
        let context = #""context":{"arguments":{"tree":"oak","branch":"3","id":"9","other":"x"}},"#
        let result = try await stage.reply("completion/complete", Self.members("id", "1", context: context))["result"]
        #expect(result?["completion"] == ["values": ["0", "1", "2"], "hasMore": false])
        let scope = ScopeNarrowing([("tree", "oak"), ("branch", 3)])
        #expect(stage.leaves.calls == [.search("1", [], scope: scope, limit: 101, offset: 0)])
    }

    @Test(arguments: ["", #""context":{},"#, #""context":{"arguments":{"tree":""}},"#, #""context":{"arguments":7},"#])
    func emptyVariablesDoNotNarrowTheSearch(context: String) async throws {
        find(1)
        _ = try await stage.reply("completion/complete", Self.members("id", "", context: context))
        #expect(stage.leaves.calls == [.search("", [], scope: ScopeNarrowing([]), limit: 101, offset: 0)])
    }

    @Test(arguments: [(99, 99, false), (100, 100, false), (101, 100, true)])
    func atMostAHundredValuesAreReturned(count: Int, told: Int, hasMore: Bool) async throws {
        find(count)
        let result = try await stage.reply("completion/complete", Self.members("id", ""))["result"]
        guard case .array(let values)? = result?["completion"]?["values"] else {
            Issue.record("no values")
            return
        }
        #expect(values.count == told && result?["completion"]?["hasMore"] == .bool(hasMore))
    }

    @Test func parentIsCompletedFromTheCache() async throws {
        stage.leaves.configure { $0.scopeValues = ["oak", "elm", "olive"] }
        let context = #""context":{"arguments":{"branch":"3"}},"#
        let result = try await stage.reply("completion/complete", Self.members("tree", "o", context: context))["result"]
        #expect(result?["completion"]?["values"] == ["oak", "olive"])
        #expect(stage.leaves.calls == [.scopeValues("tree", ScopeNarrowing([("branch", 3)]))])
    }

    /// Clients send every variable that has a value, possibly including the variable to complete.
    @Test func completionOfAVariableIgnoresItsOwnValue() async throws {
        stage.leaves.configure { $0.scopeValues = ["oak", "elm"] }
        let context = #""context":{"arguments":{"tree":"elm","branch":"3"}},"#
        let result = try await stage.reply("completion/complete", Self.members("tree", "o", context: context))["result"]
        #expect(result?["completion"]?["values"] == ["oak"])
        #expect(stage.leaves.calls == [.scopeValues("tree", ScopeNarrowing([("branch", 3)]))])
    }

    @Test func resourceWithoutAScopeIsSearchedWithoutScopeValues() async throws {
        stage.books.configure { $0.hits = .success(SearchHits(items: [], count: 0)) }
        let members = Self.members("id", "a").replacing(Self.template, with: "larder://book/{id}")
        #expect(try await stage.error("completion/complete", members) == nil)
        #expect(stage.books.calls == [.search("a", [], scope: nil, limit: 101, offset: 0)])
    }

    @Test(arguments: [
        "", #""ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"id","value":""},"#,
        #""ref":{"type":"ref/resource","uri":"larder://leaf/1/2/3"},"argument":{"name":"id","value":""},"#,
        #""ref":{"type":"ref/resource","uri":"larder://note/{id}"},"argument":{"name":"id","value":""},"#,
        #""ref":{"type":"ref/resource","uri":"larder://book/{id}"},"argument":{"name":"di","value":""},"#,
        #""ref":{"type":"ref/resource","uri":"larder://book/{id}"},"argument":{"name":"id"},"#,
        #""ref":{"type":"ref/resource","uri":"larder://book/{id}"},"argument":{"name":"id","value":7},"#,
        #""ref":{"type":"ref/resource","uri":"larder://book/{id}"},"#,
        Self.members("id", "", context: #""context":{"arguments":{"branch":"x"}},"#),
    ])
    func invalidCompletionIsRefused(members: String) async throws {
        #expect(try await stage.error("completion/complete", members)?["code"] == -32602)
        #expect(stage.books.calls.isEmpty && stage.leaves.calls.isEmpty)
    }

    @Test(arguments: [(1000, true), (1001, false)]) func lengthOfACompletedValueIsLimited(count: Int, fits: Bool)
        async throws
    {
        find(1)
        let members = Self.members("id", String(repeating: "x", count: count))
        let error = try await stage.error("completion/complete", members)
        #expect(error?["message"] == (fits ? nil : "'value' must have at most 1000 bytes"))
    }

    @Test func failedCompletionSearchReturnsAnError() async throws {
        stage.leaves.configure { $0.hits = .failure(LocalDataError("broken")) }
        let error = try await stage.error("completion/complete", Self.members("id", ""))
        #expect(error?["code"] == -32603 && error?["message"] == "broken")
    }
}
