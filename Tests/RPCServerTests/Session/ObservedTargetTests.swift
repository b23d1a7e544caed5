import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import RPCServer
@testable import Repositories

/// The search for an observed item in a catalog that may have changed.
@Suite(.limited) struct ObservedTargetTests {
    /// Returns the scope in which a catalog finds the observed item; nil if it has no such item.
    ///
    /// - Parameters:
    ///   - declared: the scope of the resource in the catalog; nil if the catalog has no such resource.
    ///   - given: the scope of the observed item.
    private func scope(declared: [String: String]?, given: [(String, JSONValue)]) throws -> [(String, JSONValue)]? {
        var resources: [String: ResourceContext] = [:]
        if let declared {
            let scope = declared.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
            let path = declared.keys.map { "{\($0)}/" }.joined()
            let text = """
                {
                  "larder": 1, "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
                  "resources": {
                    "leaf": {"api": "a", "id": "string", "scope": {\(scope)}, "rest": {"get": {"path": "/\(path){id}"}}}
                  }
                }
                """
            let resource = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources[0]
            resources["leaf"] = MCPStage.context(of: ResourceRepositoryMock(resource))
        }
        let target = ObservedTarget(
            resource: "leaf", scope: given.isEmpty ? nil : ResourceScope(given), name: .item(id: "1"))
        let serving = ServedCatalog(router: Router([:]), secrets: [], resources: resources)
        guard let context = target.context(in: serving) else { return nil }
        return context.scope?.values.map { ($0.name, $0.value) } ?? []
    }

    @Test func itemIsFoundInItsScope() throws {
        let oak: [(String, JSONValue)] = [("tree", "oak")]
        #expect(try scope(declared: ["tree": "\"string\""], given: oak)?.map(\.0) == ["tree"])
        #expect(try scope(declared: [:], given: [])?.count == 0)
        let withDefault = ["tree": "\"string\"", "branch": #"{"type": "integer", "default": 3}"#]
        let values = try #require(try scope(declared: withDefault, given: oak))
        #expect(Dictionary(uniqueKeysWithValues: values) == ["tree": "oak", "branch": 3])
    }

    @Test func itemOfAnotherScopeIsNotFound() throws {
        #expect(try scope(declared: nil, given: []) == nil)
        #expect(try scope(declared: [:], given: [("tree", "oak")]) == nil, "the catalog has no scope any more")
        #expect(try scope(declared: ["tree": "\"string\""], given: []) == nil, "the catalog has a new scope")
        #expect(try scope(declared: ["tree": "\"string\""], given: [("branch", 3)]) == nil)
    }
}
