import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how resources are drafted: their operations, scopes, ids and fields.
@Suite(.limited) struct OpenAPIResourcesTests {
    private static func item(_ path: String, _ parameters: [String], _ schema: String) -> String {
        #""\#(path)": {"get": {"parameters": [\#(parameters.joined(separator: ","))], \#(OpenAPIText.get(schema))}}"#
    }

    private static let thing = #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#

    @Test func collectionAndItemPathsBecomeOneResource() throws {
        let resource = try OpenAPIText.resource(of: OpenAPIText.things())
        #expect(resource["rest"]?["get"]?.text == #"{"path":"/things/{id}"}"#)
        #expect(resource["rest"]?["list"]?.text == #"{"path":"/things"}"#)
        #expect(resource["id"] == "integer")
    }

    @Test func parametersBeforeTheItemBecomeItsScope() throws {
        let document = OpenAPIText.document(
            paths: Self.item(
                "/zoos/{id}/animals", [OpenAPIText.path("id", "string")], #"{"type": "array", "items": \#(Self.thing)}"#
            )
                + ","
                + Self.item(
                    "/zoos/{zoo}/animals/{animal_id}",
                    [OpenAPIText.path("zoo", "string"), OpenAPIText.path("animal_id")], Self.thing)
                + ","
                + Self.item("/parks/{id}/trees/{page}", [OpenAPIText.path("id"), OpenAPIText.path("page")], Self.thing))
        let animal = try OpenAPIText.resource("animal", of: document)
        #expect(animal["scope"]?.text == #"{"zoo":"string"}"#)
        #expect(animal["rest"]?["get"]?["path"] == "/zoos/{zoo}/animals/{id}")
        #expect(animal["rest"]?["list"]?["path"] == "/zoos/{zoo}/animals")
        // The parameter `id` of the methods already has a meaning, so a scope cannot use that name.
        let tree = try OpenAPIText.resource("tree", of: document)
        #expect(tree["scope"]?.text == #"{"park":"integer"}"#)
        #expect(tree["rest"]?["get"]?["path"] == "/parks/{park}/trees/{id}")
    }

    @Test(
        arguments: [
            ("number", "integer", "thing_number", "integer", #"{"type":"integer","from":"number"}"#),
            ("id", "string", "thing", "string", #""string""#),
            ("login", "string", "username", "string", #"{"type":"string","from":"login"}"#),
            ("id", "integer", "thingId", "string", #""integer""#),
            ("slug", "string", "thing_slug", "string", #"{"type":"string","from":"slug"}"#),
            ("name", "string", "thing", "string", #"{"type":"string","from":"name"}"#),
            ("thingId", "integer", "thingId", "integer", #"{"type":"integer","from":"thingId"}"#),
        ])
    func idIsThePropertyThatMatchesThePathParameter(
        property: String, kind: String, parameter: String, kindOfParameter: String, id: String
    ) throws {
        let schema =
            #"{"type": "object", "required": ["\#(property)"], "properties": {"title": {"type": "object"}, "\#(property)": {"type": "\#(kind)"}}}"#
        let document = OpenAPIText.document(
            paths: Self.item("/things/{\(parameter)}", [OpenAPIText.path(parameter, kindOfParameter)], schema))
        #expect(try OpenAPIText.resource(of: document)["id"]?.text == id)
    }

    /// If the path parameter is a string and the item's `id` is a number, the path parameter is another property.
    @Test func propertyOfAnotherTypeIsNotUsedAsTheID() throws {
        let schema = #"{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#
        let document = OpenAPIText.document(
            paths: Self.item("/things/{thing}", [OpenAPIText.path("thing", "string")], schema))
        #expect(try OpenAPIText.resource(of: document)["id"]?["from"] == "name")
    }

    @Test func getOperationWithoutAnIDInItsAnswerIsLeftOut() throws {
        let sizes = #"{"type": "object", "properties": {"size": {"type": "number"}}}"#
        let text = try CatalogImport.draft(
            Array(
                OpenAPIText.document(
                    paths: Self.item("/sizes/{x}", [OpenAPIText.path("x")], sizes)
                        + "," + Self.item("/others/{id}", [OpenAPIText.path("id")], Self.thing)
                ).utf8))
        #expect(text.contains("// /sizes/{x}: no property of the item can be its id"))
        #expect(try DraftText.value(text)["resources"]?["size"] == nil)
    }

    /// Many documents do not describe answers. Parameters and paths are sufficient for a draft.
    @Test func resourceWithoutAnswerSchemasHasNoFields() throws {
        let document = OpenAPIText.document(
            paths:
                #""/things": {"get": {"parameters": [\#(OpenAPIText.query("page", #"{"type": "integer"}"#))], "responses": {}}}, "/things/{thing_id}": {"get": {"parameters": [\#(OpenAPIText.path("thing_id"))]}}"#
        )
        let resource = try OpenAPIText.resource(of: document)
        #expect(resource["id"] == "integer")
        #expect(resource["fields"] == nil)
        #expect(resource["rest"]?["list"]?["pagination"]?.text == #"{"style":"page","param":"page"}"#)
    }

    @Test func itemInsideAWrapperObjectIsFound() throws {
        let document = OpenAPIText.document(
            paths: Self.item(
                "/things/{id}", [OpenAPIText.path("id")],
                #"{"type": "object", "properties": {"thing": \#(Self.thing), "ok": {"type": "boolean"}}}"#)
                + ","
                + Self.item(
                    "/things", [],
                    #"{"type": "object", "properties": {"things": {"type": "array", "items": \#(Self.thing)}, "errors": {"type": "array", "items": {"type": "string"}}}}"#
                ))
        let resource = try OpenAPIText.resource(of: document)
        #expect(resource["rest"]?["get"]?["item"] == "thing")
        #expect(resource["rest"]?["list"]?["items"] == "things")
        #expect(resource["fields"]?.text == #"{"id":"integer"}"#)
    }

    @Test func listWithFewerFieldsIsDraftedAsIncomplete() throws {
        let full =
            #"{"type": "object", "required": ["id", "name", "size"], "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "size": {"type": "number"}}}"#
        let brief =
            #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": {"type": "string", "nullable": true}}}"#
        let document = OpenAPIText.document(
            paths: Self.item("/things/{id}", [OpenAPIText.path("id")], full) + ","
                + Self.item("/things", [], #"{"type": "array", "items": \#(brief)}"#))
        let resource = try OpenAPIText.resource(of: document)
        #expect(resource["rest"]?["list"]?["complete"] == false)
        #expect(resource["fields"]?.text == #"{"id":"integer","name":"string?","size":"number"}"#)
    }

    @Test(
        arguments: [
            (#"{"type": "string", "nullable": true}"#, #""string?""#),
            (#"{"type": "string", "nullable": false}"#, #""string""#),
            (#"{"type": ["integer", "null"]}"#, #""integer?""#),
            (#"{"type": "string", "format": "date-time"}"#, #"{"type":"date","zone":"UTC"}"#),
            (#"{"type": "string", "format": "date-time", "example": "2026-01-31T09:05:00Z"}"#, #""date""#),
            (
                #"{"type": "array", "items": {"type": "string", "format": "date-time"}}"#,
                #"{"type":["date"],"zone":"UTC"}"#
            ),
            (#"{"type": "string", "enum": ["a"]}"#, #""string""#),
            (#"{"type": "string", "enum": ["a", "b"]}"#, #"{"type":["a","b","other"],"otherwise":"other"}"#),
            (
                #"{"type": "string", "enum": ["other", "b"]}"#,
                #"{"type":["other","b","unknown"],"otherwise":"unknown"}"#
            ),
            (#"{"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}"#, #"["string"]"#),
            (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"*":"integer"}"#),
            (#"{"type": "object"}"#, #""any""#), ("{}", #""any""#), ("true", #""any""#),
            (#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, #""any""#),
            (#"{"anyOf": [{"type": "number"}, {"type": "null"}]}"#, #""number?""#),
            (#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#, #""number""#),
            (
                #"{"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}"#,
                #"{"type":{"type":"string"}}"#
            ),
            (
                #"{"type": "object", "properties": {"*": {"type": "string"}, "a": {"type": "string"}}}"#,
                #"{"a":"string?"}"#
            ),
            (##"{"$ref": "#/components/schemas/none"}"##, #""any""#), (##"{"$ref": "other.json#/x"}"##, #""any""#),
            (
                ##"{"allOf": [{"$ref": "#/components/schemas/base"}, {"properties": {"b": {"type": "boolean"}}, "required": ["b"]}]}"##,
                #"{"a":"string","b":"boolean"}"#
            ),
            (
                #"{"oneOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}]}"#,
                #"{"a":"string","b":"string?"}"#
            ),
        ])
    func openAPISchemasAreConvertedToFieldTypes(schema: String, type: String) throws {
        let object =
            #"{"type": "object", "required": ["id", "x"], "properties": {"id": {"type": "integer"}, "x": \#(schema)}}"#
        let document = OpenAPIText.document(
            paths: Self.item("/things/{id}", [OpenAPIText.path("id")], object),
            schemas: #""base": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}"#,
            version: "3.1.0")
        let fields = try #require(try OpenAPIText.resource(of: document)["fields"])
        #expect((fields["x"] ?? fields["x?"])?.text == type)
    }

    @Test func recursiveAndDeeplyNestedSchemasBecomeTheTypeAny() throws {
        func nested(_ depth: Int) -> String {
            depth == 0
                ? #"{"type": "string"}"#
                : #"{"type": "object", "required": ["n"], "properties": {"n": \#(nested(depth - 1))}}"#
        }
        let schema =
            ##"{"type": "object", "required": ["id", "n", "me"], "properties": {"id": {"type": "integer"}, "n": \##(nested(5)), "me": {"$ref": "#/components/schemas/self"}}}"##
        let document = OpenAPIText.document(
            paths: Self.item("/things/{id}", [OpenAPIText.path("id")], ##"{"$ref": "#/components/schemas/self"}"##),
            schemas: #""self": \#(schema)"#)
        #expect(
            try OpenAPIText.resource(of: document)["fields"]?.text
                == #"{"id":"integer","n":{"n":{"n":{"n":"any"}}},"me":"any"}"#)
    }

    @Test(
        arguments: [
            (OpenAPIText.query("a"), #"{"a":"a"}"#), (OpenAPIText.query("$top-x"), #"{"top-x":"$top-x"}"#),
            (OpenAPIText.query("a", #"{"type": "integer", "default": 5}"#), #"{"a":{"type":"integer","default":5}}"#),
            (
                OpenAPIText.query("a", #"{"type": "string"}"#, #""required": true"#),
                #"{"a":{"type":"string","required":true}}"#
            ),
            (
                OpenAPIText.query("a", #"{"type": "boolean", "default": false}"#, #""required": true"#),
                #"{"a":{"type":"boolean","default":false}}"#
            ),
            (
                OpenAPIText.query("a", #"{"type": "array", "items": {"type": "integer"}}"#),
                #"{"a":{"type":["integer"],"join":"repeat"}}"#
            ),
            (
                OpenAPIText.query("a", #"{"type": "array", "items": {"type": "string"}}"#, #""explode": false"#),
                #"{"a":{"type":["string"]}}"#
            ),
            (
                OpenAPIText.query("a", #"{"type": "array", "items": {"type": "number"}}"#, #""explode": false"#),
                #"{"a":{"type":["number"],"split":","}}"#
            ),
            (
                OpenAPIText.query(
                    "a", #"{"type": "array", "items": {"type": "integer"}}"#, #""style": "pipeDelimited""#),
                #"{"a":{"type":["integer"],"join":"|"}}"#
            ),
            (
                OpenAPIText.query(
                    "a", #"{"type": "array", "items": {"type": "string"}}"#, #""style": "pipeDelimited""#),
                #"{"a":{"type":["string"],"join":"|"}}"#
            ),
            (
                OpenAPIText.query("a[]", #"{"type": "array"}"#),
                #"{"a":{"param":"a[]","type":["string"],"join":"repeat"}}"#
            ),
            (
                OpenAPIText.query("a", #"{"type": "string", "enum": ["x", "y"], "default": "z"}"#),
                #"{"a":{"type":["x","y"]}}"#
            ),
            (
                OpenAPIText.query(
                    "a", #"{"type": "object", "properties": {"lt": {"type": "integer"}}}"#, #""style": "deepObject""#),
                #"{"a_lt":{"param":"a[lt]","type":"integer"}}"#
            ),
            (OpenAPIText.query("api-version", #"{"type": "string", "default": "2021"}"#, #""required": true"#), nil),
            (#"{"name": "a", "in": "query", "content": {"application/json": {"schema": {}}}}"#, nil),
            (#"{"name": "X-A", "in": "header", "schema": {"type": "string"}}"#, nil),
            (#"{"name": "", "in": "query", "schema": {"type": "string"}}"#, nil),
            (#"{"in": "query", "schema": {"type": "string"}}"#, nil), (#"{"name": "a", "schema": {}}"#, nil),
        ] as [(String, String?)])
    func queryParametersBecomeFilters(parameter: String, filters: String?) throws {
        #expect(try OpenAPIText.list(OpenAPIText.things(parameters: parameter))["filters"]?.text == filters)
    }

    /// HTTP clients set some header fields themselves.
    @Test(
        arguments: [
            ("header", "Accept", nil), ("header", "Content-Type", nil), ("header", "Authorization", nil),
            ("header", "X-Kind", #"{"X-Kind":"a"}"#), ("query", "accept", #"{"accept":"a"}"#),
        ] as [(String, String, String?)])
    func requiredParameterWithOneValueIsAConstant(place: String, name: String, constant: String?) throws {
        let parameter =
            #"{"name": "\#(name)", "in": "\#(place)", "required": true, "schema": {"type": "string", "enum": ["a"]}}"#
        let document = OpenAPIText.things(parameters: parameter)
        #expect(try OpenAPIText.list(document)[place == "header" ? "headers" : "query"]?.text == constant)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(!text.contains("the header '\(name)' is required"))
    }

    @Test func parametersThatCannotBeFiltersAreReported() throws {
        let parts = #"{"type": "object", "properties": {"lt": {"type": "integer"}, "in": {"type": "object"}}}"#
        let parameters = [
            OpenAPIText.query("a", parts, #""style": "deepObject""#),
            OpenAPIText.query("b", #"{"type": "object", "additionalProperties": {"type": "string"}}"#),
        ]
        let document = OpenAPIText.things(parameters: parameters.joined(separator: ","))
        #expect(try OpenAPIText.list(document)["filters"]?.text == #"{"a_lt":{"param":"a[lt]","type":"integer"}}"#)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(text.contains("'a[in]' is left out") && text.contains("'b' is left out"))
        #expect(!text.contains("'a' is left out"))
    }

    @Test func circularAndMissingReferencesHaveDifferentReasons() throws {
        func draft(_ name: String) throws -> String {
            let thing =
                ##"{"type": "object", "properties": {"id": {"type": "integer"}, "x": {"$ref": "#/components/schemas/\##(name)"}}}"##
            let document = OpenAPIText.document(
                paths: Self.item("/things/{id}", [OpenAPIText.path("id")], thing),
                schemas: ##""a": {"$ref": "#/components/schemas/b"}, "b": {"$ref": "#/components/schemas/a"}"##)
            return try CatalogImport.draft(Array(document.utf8))
        }
        #expect(try draft("a").contains("the reference '#/components/schemas/a' leads back to itself"))
        #expect(try draft("none").contains("the reference '#/components/schemas/none' has no target in this document"))
    }

    @Test func requiredQueryParametersOfAGetBecomeTheScope() throws {
        let document = OpenAPIText.document(
            paths: Self.item(
                "/things/{id}",
                [
                    OpenAPIText.path("id"), OpenAPIText.query("site", #"{"type": "string"}"#, #""required": true"#),
                    OpenAPIText.query("api-version", #"{"enum": ["7"]}"#, #""required": true"#),
                ], Self.thing))
        let resource = try OpenAPIText.resource(of: document)
        #expect(resource["scope"]?.text == #"{"site":"string"}"#)
        #expect(resource["rest"]?["get"]?["query"]?.text == #"{"api-version":"7","site":"{site}"}"#)
    }

    @Test func formatPlaceholderInAPathBecomesJSON() throws {
        let document = OpenAPIText.document(
            paths: """
                "/things.{format}": {"get": {\(OpenAPIText.get(#"{"type": "array", "items": \#(Self.thing)}"#))}}, \
                \(Self.item("/things/{id}.{format}", [OpenAPIText.path("id")], Self.thing))
                """)
        let rest = try OpenAPIText.resource(of: document)["rest"]
        #expect(rest?["list"]?["path"] == "/things.json" && rest?["get"]?["path"] == "/things/{id}.json")
    }
}
