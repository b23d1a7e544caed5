import DataSources
import JSON
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

@Suite(.limited) struct ResourceGuideTests {
    private let stage: MCPStage

    init() throws { stage = try MCPStage() }

    private static func catalog(_ count: Int) throws -> [ResourceDefinition] {
        let resources = (0..<count).map { number in
            """
            "resource\(number)": {"api": "x", "id": "integer", "fields": {"id": "integer"},
              "rest": {"get": {"path": "/r\(number)/{id}"}}}
            """
        }
        let text = """
            {"larder": 1, "apis": {"x": {"baseURL": "http://127.0.0.1:1"}},
             "resources": {\(resources.joined(separator: ","))}}
            """
        return try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources
    }

    @Test func mcpInstructionsNameEveryResource() {
        let guide = ResourceGuide(resources: [stage.books, stage.leaves, stage.notes].map(\.resource))
        for name in ["book", "leaf", "note", "get_item", "list_items", "search_cached"] {
            #expect(guide.instructions().contains(name), "\(name)")
        }
        #expect(!guide.instructions().hasSuffix("…"))
    }

    /// Hosts refuse instructions that are longer.
    @Test(arguments: [1, 100, 130, 300]) func mcpInstructionsHaveAtMost2000Characters(count: Int) throws {
        let text = ResourceGuide(resources: try Self.catalog(count)).instructions()
        #expect(text.count <= 2000 && text.utf16.count <= 2000)
        if count == 300 { #expect(text.count == 2000 && text.hasSuffix("…")) }
    }

    @Test func scopesAndFiltersAreListedWithTheirTypes() {
        let guide = ResourceGuide(resources: [stage.books, stage.leaves, stage.notes].map(\.resource))
        #expect(
            Self.descriptions(guide.scopeArguments(of: guide.resources)) == ["Required for: leaf {tree, branch}"])
        #expect(Self.descriptions(guide.filterArguments(of: guide.resources)) == ["note {open: boolean, word}"])
        let plain = ResourceGuide(resources: [stage.books.resource])
        #expect(plain.scopeArguments(of: plain.resources).isEmpty && plain.filterArguments(of: plain.resources).isEmpty)
    }

    /// The filters that all lists have are named once, if this saves characters.
    @Test(arguments: [
        (["state, since", "state, since, kind"], "each resource {state, since}; r1 {kind}"),
        (["state, since", "state, since"], "each resource {state, since}"),
        (["a, b", "a, c"], "r0 {a, b}; r1 {a, c}"), (["state, since", ""], "r0 {state, since}"),
        (["state, since"], "r0 {state, since}"),
    ])
    func filtersOfAllListsAreNamedOnce(lists: [String], expected: String) throws {
        let resources = lists.enumerated().map { number, names in
            let filters = names.split(separator: ", ").map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
            return """
                "r\(number)": {"api": "a", "id": "integer",
                  "rest": {"list": {"path": "/r\(number)", "filters": {\(filters)}}}}
                """
        }
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}},
             "resources": {\(resources.joined(separator: ", "))}}
            """
        let guide = ResourceGuide(resources: try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources)
        #expect(Self.descriptions(guide.filterArguments(of: guide.resources)) == [.string(expected)])
    }

    private static func descriptions(_ arguments: [ToolArgument]) -> [JSONValue?] {
        arguments.map { $0.schema.json["description"] }
    }

    @Test func toolsOfUnscopedResourcesHaveNoScopeArgument() {
        let tools = ToolTable(ResourceTable([MCPStage.context(of: stage.books)]), ToolOutput(clock: ClockMock())).tools
        #expect(tools.count == 5 && !tools.contains { $0.arguments.contains { $0.name == "scope" } })
    }

    /// Returns resources of the API `x`. The text declares the list filters of each resource.
    private static func resources(_ named: [(name: String, filters: String)]) throws -> [ResourceDefinition] {
        let texts = named.map { name, filters in
            """
            "\(name)": {"api": "x", "id": "integer", "fields": {"kind": ["a", "b"], "text": "string"},
              "rest": {"list": {"path": "/r", "filters": {\(filters)}}}}
            """
        }
        let text = #"{"larder": 1, "apis": {"x": {"baseURL": "http://127.0.0.1:1"}}, "resources": {"#
        return try CatalogDecoder.decode(Array("\(text)\(texts.joined(separator: ","))}}".utf8), secrets: .empty)
            .resources
    }

    @Test(arguments: [(58, true), (59, false)]) func toolDescriptionNamesResourcesUpToItsLimit(
        length: Int, isWhole: Bool
    ) throws {
        let (one, two) = (String(repeating: "a", count: 100), String(repeating: "b", count: length))
        let resources = try Self.resources([(one, ""), (two, "")])
        let guide = ResourceGuide(resources: resources)
        #expect(guide.subject(of: resources) == " For x: \(one), \(isWhole ? two : "…").")
    }

    @Test func descriptionOfAFilterListsUpTo12Values() throws {
        let twelve = (1...12).map { "v\($0)" }
        func type(_ values: [String]) -> String { "[\(values.map { "\"\($0)\"" }.joined(separator: ","))]" }
        let resources = try Self.resources([
            ("one", #""kind": "kind", "text": "text", "is": {"type": "boolean", "required": true}"#), ("two", ""),
            ("three", #""v": {"type": \#(type(twelve))}, "w": {"type": \#(type(twelve + ["v13"]))}"#),
        ])
        let guide = ResourceGuide(resources: resources)
        let values = twelve.joined(separator: "|")
        let text = "one {kind: a|b, text, is: boolean (required)}; three {v: \(values), w: \(values)|…}"
        #expect(Self.descriptions(guide.filterArguments(of: resources)) == [.string(text)])
        #expect(guide.fieldExample(of: resources) == #"{"kind":"a"}"#)
        #expect(guide.fieldExample(of: []) == #"{"name":"a"}"#)
    }
}
