import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how the items of lists and of single requests are found.
@Suite(.limited) struct OpenAPIItemsTests {
    private static let thing =
        #"{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#
    private static let things = #"{"type": "array", "items": \#(thing)}"#

    private static func object(_ properties: String) -> String {
        #"{"type": "object", "properties": {\#(properties)}}"#
    }

    private static func path(_ path: String, _ schema: String, _ query: String...) -> String {
        let names = path.split(separator: "/").compactMap { part in
            part.hasPrefix("{") ? OpenAPIText.path(String(part.dropFirst().dropLast()), "string") : nil
        }
        return
            #""\#(path)": {"get": {"parameters": [\#((names + query).joined(separator: ", "))], \#(OpenAPIText.get(schema))}}"#
    }

    private static func rest(_ name: String = "thing", _ paths: String...) throws -> JSONValue {
        let document = OpenAPIText.document(paths: paths.joined(separator: ", "))
        return try #require(try OpenAPIText.resource(name, of: document)["rest"])
    }

    @Test(
        arguments: [
            (object(#""domain_record": \#(thing)"#), "domain_record"),
            (object(#""meta": {"type": "object"}, "Things": \#(things)"#), "Things.0"), (thing, nil),
            (object(#""id": {"type": "integer"}, "name": {"type": "string"}, "data": {"type": "object"}"#), nil),
        ] as [(String, String?)])
    func wrappedItemIsRecognizedByTheMembersOfListedItems(answer: String, item: String?) throws {
        let rest = try Self.rest(
            "thing", Self.path("/things", Self.object(#""things": \#(Self.things)"#)), Self.path("/things/{id}", answer)
        )
        #expect(rest["get"]?["item"]?.text == item.map { "\"\($0)\"" })
        #expect(rest["list"]?["items"] == "things")
    }

    @Test func objectWithAnIDBesideAnArrayIsAnItem() throws {
        let release = Self.object(#""id": {"type": "integer"}, "assets": \#(Self.things)"#)
        let document = OpenAPIText.document(
            paths: Self.path("/things", Self.things) + ", " + Self.path("/releases/latest", release))
        let catalog = try OpenAPIText.catalog(document)
        #expect(catalog["resources"]?["thing"] != nil)
        guard case .object(let resources)? = catalog["resources"] else { return }
        #expect(resources.members.count == 1)
    }

    @Test func pathOfAListMayEndWithAParameter() throws {
        let page = Self.object(#""values": \#(Self.things), "next": {"type": "string", "format": "uri"}"#)
        let document = OpenAPIText.document(
            paths: Self.path("/repositories/{workspace}", page) + ", "
                + Self.path("/repositories/{workspace}/{slug}", Self.thing))
        let resource = try OpenAPIText.resource("repository", of: document)
        #expect(resource["rest"]?["list"]?["path"] == "/repositories/{workspace}")
        #expect(resource["rest"]?["get"]?["path"] == "/repositories/{workspace}/{id}")
        #expect(resource["scope"]?.text == #"{"workspace":"string"}"#)
    }

    @Test func answerWithoutContentIsNotAnItem() throws {
        let document = OpenAPIText.document(
            paths: Self.path("/things", Self.things)
                + #", "/things/{id}": {"get": {"responses": {"204": {}, "404": {}}}}"#)
        let rest = try #require(try OpenAPIText.resource(of: document)["rest"])
        #expect(rest["list"] != nil && rest["get"] == nil)
    }

    @Test(
        arguments: [
            (
                #"{"type": "array", "maxItems": 20, "items": {"type": "string"}}"#, "",
                #"{"path":"/things","query":{"ids":"{ids}"},"join":"repeat","maxIDs":20}"#
            ),
            (
                #"{"type": "string"}"#, #", "description": "Separated by commas. Maximum: 50""#,
                #"{"path":"/things","query":{"ids":"{ids}"},"maxIDs":50}"#
            ),
        ])
    func operationWithRequiredIDsIsDraftedAsGetMany(schema: String, more: String, many: String) throws {
        let ids = #"{"name": "ids", "in": "query", "required": true, "schema": \#(schema)\#(more)}"#
        let rest = try Self.rest(
            "thing", Self.path("/things", Self.things, ids), Self.path("/things/{id}", Self.thing))
        #expect(rest["getMany"]?.text == many && rest["list"] == nil && rest["get"] != nil)
    }

    @Test(arguments: [
        "", #""schema": {"type": "object"}, "#, #""schema": {"type": "array", "items": {"type": "object"}}, "#,
    ])
    func itemsWithoutASchemaAreReadFromExamples(schema: String) throws {
        let example = #"[{"id": "a", "at": "2026-01-31T09:05:00Z", "n": 1.5, "tag": null}, {"id": "b", "on": true}]"#
        let document = OpenAPIText.document(
            paths:
                #""/things": {"get": {"responses": {"200": {"content": {"application/json": {\#(schema)"examples": {"one": {"value": \#(example)}}}}}}}}"#
        )
        let resource = try OpenAPIText.resource(of: document)
        #expect(
            resource["fields"]?.text
                == #"{"id":"string","at?":{"type":"date","zone":"UTC"},"n":"number?","tag":"any?","on":"boolean?"}"#)
    }

    @Test func examplesOfAnswersWithASchemaAreIgnored() throws {
        let document = OpenAPIText.document(
            paths:
                #""/things": {"get": {"responses": {"200": {"content": {"application/json": {"schema": \#(Self.things), "example": [{"x": 1}]}}}}}}"#
        )
        #expect(try OpenAPIText.resource(of: document)["fields"]?.text == #"{"id":"integer","name":"string?"}"#)
    }

    @Test func errorAnswersAreNotDraftedAsItems() throws {
        let answer = Self.object(
            #""errors": {"type": "array", "items": {"type": "object"}}, "things": \#(Self.things)"#)
        #expect(try Self.rest("thing", Self.path("/things", answer))["list"]?["items"] == "things")
    }
}
