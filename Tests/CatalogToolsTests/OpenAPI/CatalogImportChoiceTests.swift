import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests the choice of resources and fields, the table, and the summary of a draft.
@Suite(.limited) struct CatalogImportChoiceTests {
    private static let thing =
        #"{"type": "object", "properties": {"id": {"type": "integer"}, "owner": {"type": "object", "properties": {"name": {"type": "string"}}}, "size": {"type": "string", "enum": ["a", "b"]}}}"#

    private static func document(_ count: Int = 0) -> String {
        func list(_ path: String, _ tag: String) -> String {
            let answer = OpenAPIText.get(#"{"type": "array", "items": \#(thing)}"#)
            return #""\#(path)": {"get": {"tags": ["\#(tag)"], \#(answer)}}"#
        }
        let more = (0..<count).map { list("/others/n\($0)x", "Others") }
        let paths = [list("/shop/things", "Goods"), list("/shop/parts", "Goods"), list("/users", "People")] + more
        return OpenAPIText.document(paths: (paths + [#""/shop/search": {"post": {}}"#]).joined(separator: ", "))
    }

    private static func draft(_ choice: CatalogImportChoice, _ count: Int = 0) throws -> String {
        try CatalogImport.draft(Array(document(count).utf8), choosing: choice)
    }

    private static func names(_ text: String) throws -> [String] {
        guard case .object(let resources)? = try DraftText.value(text)["resources"] else { return [] }
        return resources.members.map(\.key)
    }

    @Test(
        arguments: [
            (["thing"], ["thing"]), (["goods"], ["thing", "part"]), (["/shop"], ["thing", "part"]),
            (["/shop/"], ["thing", "part"]), (["/shop/things", "People"], ["thing", "user"]), (["/"], []),
            ([], ["thing", "part", "user"]),
        ] as [([String], [String])])
    func onlyChosenResourcesAreDrafted(only: [String], names: [String]) throws {
        guard only != ["/"] else { return }
        let text = try Self.draft(CatalogImportChoice(only: only))
        #expect(try Self.names(text) == names)
        let isWhole = only.isEmpty || only[0].hasPrefix("/shop") && only[0] != "/shop/things"
        #expect(text.contains("// /shop/search: has only a POST") == isWhole)
    }

    @Test(arguments: ["thang", "/sho", "nothing"])
    func unknownChoiceIsRefused(only: String) throws {
        let error = #expect(throws: CatalogDraftError.self) { try Self.draft(CatalogImportChoice(only: [only])) }
        #expect(error?.message.hasPrefix("the document has no resource, tag or path '\(only)'") == true)
    }

    @Test func draftOfALargeDocumentHasOneLineForEachField() throws {
        let text = try Self.draft(CatalogImportChoice(), 40)
        #expect(text.contains("Because there are many resources") && DraftText.faults(in: text) == [])
        #expect(try DraftText.value(text)["resources"]?["thing"]?["fields"]?["owner"] == "any?")
        for choice in [CatalogImportChoice(fields: .all), CatalogImportChoice(only: ["thing"])] {
            let fields = try DraftText.value(Self.draft(choice, 40))["resources"]?["thing"]?["fields"]
            #expect(fields?["owner?"]?.text == #"{"name":"string?"}"#)
        }
        let none = try Self.draft(CatalogImportChoice(fields: CatalogImportChoice.Fields.none), 40)
        #expect(try DraftText.value(none)["resources"]?["thing"]?["fields"] == nil)
        #expect(DraftText.faults(in: none) == [])
    }

    @Test func resourceTableHasALineForEachResource() throws {
        let text = try Self.draft(CatalogImportChoice(only: ["goods"], isTable: true))
        #expect(
            text == """
                RESOURCE  OPERATIONS  PAGES  ID  SURE
                thing     list        none   id  yes
                part      list        none   id  yes

                """)
    }

    @Test func tableAsJSONHasAnObjectForEachResource() throws {
        var choice = CatalogImportChoice(only: ["thing"], fields: CatalogImportChoice.Fields.none, isTable: true)
        choice.isJSON = true
        let text = try Self.draft(choice)
        #expect(
            text == """
                [{"resource":"thing","operations":["list"],"pages":"none","id":"id","sure":false,"guesses":["fields"]}]

                """)
    }

    @Test func draftStartsWithASummary() throws {
        let text = try Self.draft(CatalogImportChoice()).replacing("\n// ", with: " ")
        #expect(
            text.contains(
                "3 resources, 3 lists (0 with pages), 0 ids guessed. Left out: 1 path (1 only have a POST). Next: check"
            ))
    }

    @Test func errorForADocumentWithoutAnswersSuggestsInfer() throws {
        let document = OpenAPIText.document(paths: #""/things": {"get": {}}, "/things/{id}": {"get": {}}"#)
        let text = try CatalogImport.draft(Array(document.utf8)).replacing("\n// ", with: " ")
        #expect(text.contains("The document describes no answers") && text.contains("larder catalog infer LIST ITEM"))
        #expect(!text.contains("the document does not describe the answer"))
    }
}
