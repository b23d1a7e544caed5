import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how a `post` whose path ends with a word such as `search` becomes a list.
@Suite(.limited) struct OpenAPIPostListTests {
    private static let thing =
        #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#
    private static let things = #"{"type": "array", "items": \#(thing)}"#
    private static let item =
        #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], \#(OpenAPIText.get(thing))}}"#

    /// Returns a path with a `post`.
    ///
    /// - Parameter body: the members of the body, as properties of a schema.
    private static func post(
        _ path: String, _ body: String, answer: String = things, parameters: String = "", required: String = "",
        media: String = "application/json"
    ) -> String {
        let schema = #"{"type": "object", "required": [\#(required)], "properties": {\#(body)}}"#
        return """
            "\(path)": {"post": {"parameters": [\(parameters)], "requestBody": {"content": {"\(media)": \
            {"schema": \(schema)}}}, \(OpenAPIText.get(answer))}}
            """
    }

    private static let paged =
        #""offset": {"type": "integer", "default": 0}, "limit": {"type": "integer", "maximum": 9}"#

    @Test(arguments: ["filter", "search", "query", "_search"])
    func listIsDraftedFromAPostIfThereIsNoOtherList(word: String) throws {
        let more = #""name": {"type": "string"}, "ids": {"type": "array", "items": {"type": "integer"}}"#
        let filter = #""filter": {"type": "object", "properties": {"any_": {"type": "array"}}}"#
        let document = OpenAPIText.document(
            paths: Self.item + "," + Self.post("/things/\(word)", "\(Self.paged), \(more), \(filter)"))
        let list = try OpenAPIText.list(document)
        #expect(list["path"]?.text == "\"/things/\(word)\"")
        #expect(list["method"] == "POST")
        #expect(
            list["pagination"]?.text == #"{"style":"offset","param":"offset","size":{"param":"limit","value":9}}"#)
        #expect(list["filters"]?.text == #"{"name":"name","ids":{"type":["integer"]},"filter":{"type":"any"}}"#)
        #expect(try OpenAPIText.resource(of: document)["rest"]?["get"]?["path"] == "/things/{id}")
    }

    @Test func listIsDraftedFromAGetRatherThanAPost() throws {
        let lists = #""/things": {"get": {\#(OpenAPIText.get(Self.things))}}"#
        let document = OpenAPIText.document(
            paths: Self.item + "," + lists + "," + Self.post("/things/search", Self.paged))
        #expect(try OpenAPIText.list(document).text == #"{"path":"/things"}"#)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(text.contains("// /things/search: not drafted: '/things' already lists these items"))
        #expect(!text.contains("if it does not change data"))
    }

    @Test func resourceIsDraftedFromAPaginatedPostEvenIfItHasNoGet() throws {
        let log = Self.post("/v1/logs/filter", Self.paged)
        let plain = Self.post("/v1/marks/filter", #""name": {"type": "string"}"#)
        let document = OpenAPIText.document(paths: Self.item + "," + log + "," + plain)
        #expect(try OpenAPIText.resource("log", of: document)["rest"]?["list"]?["path"] == "/v1/logs/filter")
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(text.contains(#"// /v1/marks/filter: has only a POST operation; if it does not change data"#))
    }

    @Test func listIsNotDraftedFromAPostThatReturnsADifferentKindOfItem() throws {
        let other = #"{"type": "array", "items": {"type": "object", "properties": {"color": {}, "size": {}}}}"#
        let document = OpenAPIText.document(
            paths: Self.item + "," + Self.post("/things/search", #""name": {}"#, answer: other))
        #expect(try OpenAPIText.resource(of: document)["rest"]?["list"] == nil)
    }

    @Test func membersOfABodyAreSentAsTheDocumentDeclares() throws {
        let body = #"""
            "page": {"type": "object", "properties": {"cursor": {"type": "string"}, "limit": {"type": "integer"}}},
            "kind": {"type": "string", "enum": ["thing"]}, "owner": {"type": "string"}, "sort.by": {"type": "string"}
            """#
        let answer = #"{"properties": {"data": \#(Self.things), "next_cursor": {"type": "string"}}}"#
        let dry = OpenAPIText.query("dry", #"{"type": "boolean"}"#) + "," + OpenAPIText.query("note")
        let list = try OpenAPIText.list(
            OpenAPIText.document(
                paths: Self.item + ","
                    + Self.post(
                        "/things/search", body, answer: answer, parameters: dry, required: #""kind", "owner""#)))
        #expect(list["body"]?.text == #"{"kind":"thing"}"#)
        #expect(list["pagination"]?.text == #"{"style":"cursor","param":"page.cursor","next":"next_cursor"}"#)
        #expect(list["items"] == "data")
        let filters = try #require(list["filters"])
        #expect(filters["page_limit"]?.text == #"{"param":"page.limit","type":"integer"}"#)
        #expect(filters["owner"]?.text == #"{"type":"string","required":true}"#)
        #expect(filters["dry"]?.text == #"{"type":"boolean","in":"query"}"#)
        #expect(filters["note"]?.text == #"{"param":"note","in":"query"}"#)
        #expect(filters["sort.by"] == nil && filters["sort_by"] == nil)
    }

    @Test func pageParametersInTheQueryOfAPostStayInTheQuery() throws {
        let page = OpenAPIText.query("page", #"{"type": "integer"}"#)
        let list = try OpenAPIText.list(
            OpenAPIText.document(
                paths: Self.item + "," + Self.post("/things/search", #""name": {}"#, parameters: page)))
        #expect(list["pagination"]?.text == #"{"style":"page","param":"page","in":"query"}"#)
    }

    @Test(arguments: [true, false]) func authenticationIsDraftedIfOnlyThePostNeedsIt(isNeeded: Bool) throws {
        let item = Self.item.replacing(#""get": {"#, with: #""get": {"security": [{"a": []}, {}], "#)
        let security = isNeeded ? #"[{"a": []}]"# : #"[{"a": []}, {}]"#
        let post = Self.post("/things/search", Self.paged).replacing(
            #""post": {"#, with: #""post": {"security": \#(security), "#)
        let document = OpenAPIText.document(
            paths: item + "," + post, more: #""securitySchemes": {"a": {"type": "http", "scheme": "bearer"}}"#)
        let catalog = try OpenAPIText.catalog(document)
        #expect((catalog["apis"]?["zoo"]?["auth"] != nil) == isNeeded)
        #expect(catalog["resources"]?["thing"]?["rest"]?["list"]?["method"] == "POST")
    }

    @Test func membersOfAnOptionalObjectAreNotRequired() throws {
        let page = #""page": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}"#
        for required in ["", #""page""#] {
            let post = Self.post("/things/search", page, required: required)
            let list = try OpenAPIText.list(OpenAPIText.document(paths: Self.item + "," + post))
            #expect(list["filters"]?["page_kind"]?["required"] == (required.isEmpty ? nil : true))
        }
    }

    @Test func postOperationWithoutAReadableBodyIsLeftOut() throws {
        let form = Self.post("/things/search", Self.paged, media: "multipart/form-data")
        let array = #"{"post": {"requestBody": {"content": {"application/json": {"schema": {"type": "array"}}}}}}"#
        let unread = Self.post("/things/search", Self.paged).replacing(
            #""schema": {"type": "object", "required""#, with: #""schema": {"$ref": "https://a.test/x", "required""#)
        for post in [form, #""/things/search": \#(array)"#, unread] {
            let document = OpenAPIText.document(paths: Self.item + "," + post)
            #expect(try OpenAPIText.resource(of: document)["rest"]?["list"] == nil)
            #expect(try CatalogImport.draft(Array(document.utf8)).contains("/things/search: has only a POST"))
        }
    }
}
