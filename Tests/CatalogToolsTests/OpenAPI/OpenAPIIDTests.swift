import JSON
import TestSupport
import Testing

@testable import CatalogTools

/// Tests how the id of items is found if no property has the name of the path parameter.
@Suite(.limited) struct OpenAPIIDTests {
    private static func list(_ properties: [String], path: String = "/things", required: String = "[]") -> String {
        let item = #"{"type": "object", "properties": {\#(properties.joined(separator: ", "))}}"#
        let names = path.split(separator: "/").compactMap { part in
            part.hasPrefix("{") ? OpenAPIText.path(String(part.dropFirst().dropLast()), "string") : nil
        }
        return OpenAPIText.document(
            paths: """
                "\(path)": {"get": {"parameters": [\(names.joined(separator: ", "))], \
                \(OpenAPIText.get(#"{"type": "array", "items": \#(item)}"#))}}
                """)
    }

    private static func text(_ name: String) -> String { #""\#(name)": {"type": "string"}"# }
    private static func object(_ name: String, _ properties: String...) -> String {
        #""\#(name)": {"type": "object", "properties": {\#(properties.joined(separator: ", "))}}"#
    }

    @Test(
        arguments: [
            (["name", "gid"].map(text), #"{"type":"string","from":"gid"}"#),
            (["key", "sid"].map(text), #"{"type":"string","from":"sid"}"#),
            (["name", "uid"].map(text), #"{"type":"string","from":"uid"}"#),
            (["name", "thing_id", "owner_id"].map(text), #"{"type":"string","from":"thing_id"}"#),
            (["Name", "ThingID", "OwnerID"].map(text), #"{"type":"string","from":"ThingID"}"#),
            (["name", "thing_uuid", "a_id", "b_id"].map(text), #"{"type":"string","from":"thing_uuid"}"#),
            (["thing_id", "id"].map(text), #""string""#),
            ([#""id": {"type": "integer", "nullable": true}"#, text("name")], #""integer""#),
            (["name", "accountId"].map(text), #"{"type":"string","from":"accountId"}"#),
            (["name", "a_id", "b_id"].map(text), #"{"type":"string","from":"name"}"#),
            (["name", "paid", "valid", "grid"].map(text), #"{"type":"string","from":"name"}"#),
            (["name", "uri"].map(text), #"{"type":"string","from":"uri","match":"*/{id}"}"#),
            (
                [text("name"), #""uri": {"type": "string", "example": "/a/5/"}"#],
                #"{"type":"string","from":"uri","match":"*/{id}/"}"#
            ),
            ([text("name"), #""href": {"type": "string", "example": "x?y=1"}"#], #"{"type":"string","from":"name"}"#),
            ([text("added"), object("track", text("id"), text("x"))], #"{"type":"string","from":"track.id"}"#),
            (
                [object("a", text("id")), object("b", text("id")), text("email")],
                #"{"type":"string","from":"email"}"#
            ),
            (
                [object("metadata", text("name"), text("namespace"), text("uid"))],
                #"{"type":"string","from":["metadata.namespace","metadata.name"],"join":"/"}"#
            ),
            ([object("metadata", text("name"))], #"{"type":"string","from":"metadata.name"}"#),
            (["size", "color"].map(text), #"{"type":"string","from":"","hash":true}"#),
        ] as [([String], String)])
    func idOfListedItemsIsFound(properties: [String], id: String) throws {
        #expect(try OpenAPIText.resource(of: Self.list(properties))["id"]?.text == id)
    }

    @Test func idOfAParentIsNotTheIDOfAnItem() throws {
        let document = Self.list(["account_id", "name"].map(Self.text), path: "/accounts/{account_id}/labels")
        #expect(try OpenAPIText.resource("label", of: document)["id"]?["from"] == "name")
    }

    @Test func namesAreIDsIfTheScopeHasANamespace() throws {
        let metadata = Self.object("metadata", Self.text("name"), Self.text("namespace"))
        let document = Self.list([metadata], path: "/namespaces/{namespace}/pods")
        #expect(try OpenAPIText.resource("pod", of: document)["id"]?["from"] == "metadata.name")
    }

    /// Kubernetes objects have a namespace if a path or the name of the operation mentions a namespace.
    @Test(
        arguments: [
            ("listNode", "/api/v1/pods", false), ("listNode", "/api/v1/namespaces/{namespace}/pods", true),
            ("listNode", "/api/v1/namespaces/{namespace}/nodes", false),
            ("listNodeForAllNamespaces", "/api/v1/namespaces/{namespace}/pods", false),
            (nil, "/api/v1/namespaces/{namespace}/pods", true), (nil, "/api/v1/pods", false),
        ] as [(String?, String, Bool)])
    func objectsWithoutANamespaceHaveTheirNameAsID(operation: String?, other: String, isName: Bool) throws {
        let metadata = Self.object("metadata", Self.text("name"), Self.text("namespace"))
        let node = #"{"type": "object", "properties": {\#(metadata)}}"#
        let list = OpenAPIText.get(
            #"{"type": "object", "properties": {"items": {"type": "array", "items": \#(node)}}}"#)
        let name = operation.map { #""operationId": "\#($0)", "# } ?? ""
        let document = OpenAPIText.document(
            paths: #""/api/v1/nodes": {"get": {\#(name)\#(list)}}, "\#(other)": {"get": {\#(list)}}"#)
        let id = try OpenAPIText.resource("node", of: document)["id"]
        #expect(id?["join"] == (isName ? nil : "/"))
        #expect(id?["from"]?.text == (isName ? #""metadata.name""# : #"["metadata.namespace","metadata.name"]"#))
    }

    @Test(arguments: [("company_id", "\"string\""), ("companyID", "\"string\"")])
    func propertyIDIsPreferredToAnIDThatAnotherSystemAssigned(parameter: String, id: String) throws {
        let company = #"{"type": "object", "properties": {"company_id": {"type": "string"}, "id": {"type": "string"}}}"#
        let document = OpenAPIText.document(
            paths: """
                "/companies/{\(parameter)}": {"get": {"parameters": [\(OpenAPIText.path(parameter, "string"))], \
                \(OpenAPIText.get(company))}}
                """)
        #expect(try OpenAPIText.resource("company", of: document)["id"]?.text == id)
    }

    @Test func listOfItemsWithoutIDsIsDraftedWithoutAGet() throws {
        let size = #"{"type": "object", "properties": {"size": {"type": "number"}}}"#
        let document = OpenAPIText.document(
            paths: """
                "/things": {"get": {\(OpenAPIText.get(#"{"type": "array", "items": \#(size)}"#))}}, \
                "/things/{x}": {"get": {"parameters": [\(OpenAPIText.path("x"))], \(OpenAPIText.get(size))}}
                """)
        let resource = try OpenAPIText.resource(of: document)
        #expect(resource["id"]?["hash"] == true && resource["rest"]?["get"] == nil)
        #expect(resource["rest"]?["list"]?["path"] == "/things")
    }

    /// If list items contain a name and a URL that ends with a number, the number is the id.
    @Test(
        arguments: [
            ("/things/{id}", #""url": {"type": "string"}"#, "*/{id}"),
            ("/things/{id}/", #""url": {"type": "string"}"#, "*/{id}/"),
            ("/things/{id}/", #""url": {"type": "string", "example": "https://zoo.test/things/1"}"#, "*/{id}"),
            ("/things/{id}", #""link": {"type": "string"}"#, nil),
        ] as [(String, String, String?)])
    func numberIsReadFromTheURLOfAListedItem(path: String, url: String, match: String?) throws {
        let listed = #"{"type": "object", "properties": {"name": {"type": "string"}, \#(url)}}"#
        let item = #"{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#
        let list = OpenAPIText.get(#"{"type": "array", "items": \#(listed)}"#)
        let document = OpenAPIText.document(
            paths: """
                "/things": {"get": {\(list)}}, \
                "\(path)": {"get": {"parameters": [\(OpenAPIText.path("id"))], \(OpenAPIText.get(item))}}
                """)
        let id = try OpenAPIText.resource(of: document)["id"]
        #expect(id?["from"]?["list"] == (match == nil ? "name" : "url"))
        #expect(id?["match"] == match.map { .string($0) })
    }
}
