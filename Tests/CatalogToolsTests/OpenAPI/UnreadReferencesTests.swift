import CatalogTools
import JSON
import TestSupport
import Testing

@Suite(.limited) struct UnreadReferencesTests {
    private static let missing = ##"{"$ref": "x.yaml#/a"}"##
    private static let thing = #"{"type": "object", "properties": {"id": {"type": "integer"}}}"#

    /// Returns the draft of a document with the resources `thing`, which can be read, and `other`.
    private func draft(_ list: String, _ get: String) throws -> String {
        let paths = """
            "/things": {"get": {\(OpenAPIText.get(#"{"type": "array", "items": \#(Self.thing)}"#))}},
            "/others": {"get": {\(list)}},
            "/others/{id}": {"get": {"parameters": [\(OpenAPIText.path("id"))], \(get)}}
            """
        return try CatalogImport.draft(Array(OpenAPIText.document(paths: paths).utf8))
    }

    @Test(
        arguments: [
            OpenAPIText.get(missing), OpenAPIText.get(#"{"type": "array", "items": \#(missing)}"#),
            OpenAPIText.get(#"{"allOf": [\#(missing), {"type": "object"}]}"#),
            OpenAPIText.get(#"{"type": "object", "properties": {"data": \#(missing)}}"#),
            OpenAPIText.get(#"{"type": "object", "properties": {"data": {"type": "array", "items": \#(missing)}}}"#),
            #""responses": {"200": \#(missing)}"#, ##""$ref": "x.yaml#/a""##,
        ])
    func listWithAnUnreadableReferenceIsLeftOut(list: String) throws {
        let text = try draft(list, OpenAPIText.get(Self.thing))
        let resources = try DraftText.value(text)["resources"]
        #expect(resources?["thing"]?["rest"]?["list"] != nil)
        #expect(resources?["other"]?["rest"]?["get"] != nil && resources?["other"]?["rest"]?["list"] == nil)
        #expect(text.contains("/others: left out; cannot follow the reference 'x.yaml#/a'"))
    }

    @Test(
        arguments: [
            OpenAPIText.get(missing), #""responses": {"200": \#(missing)}"#,
            OpenAPIText.get(#"{"type": "object", "properties": {"data": \#(missing)}}"#),
        ])
    func resourceWithoutReadableAnswersIsLeftOut(get: String) throws {
        let text = try draft(OpenAPIText.get(Self.missing), get)
        #expect(try DraftText.value(text)["resources"]?["other"] == nil)
        #expect(text.contains("/others/{id}: left out; cannot follow the reference 'x.yaml#/a'"))
    }

    @Test func unreadableReferenceDoesNotAffectOtherResources() throws {
        let item = #"{"type": "object", "properties": {"id": {"type": "integer"}, "owner": \#(Self.missing)}}"#
        let text = try draft(OpenAPIText.get(#"{"type": "array", "items": \#(item)}"#), OpenAPIText.get(item))
        let other = try DraftText.value(text)["resources"]?["other"]
        #expect(other?["fields"]?["owner?"] == "any?" || other?["fields"]?["owner"] == "any?")
        #expect(text.contains("cannot follow the reference 'x.yaml#/a'"))
    }

    @Test func parameterWithAnUnreadableReferenceIsLeftOutWithARemark() throws {
        let list =
            #""parameters": [\#(Self.missing)], "# + OpenAPIText.get(#"{"type": "array", "items": \#(Self.thing)}"#)
        let text = try draft(list, OpenAPIText.get(Self.thing))
        #expect(text.contains("a parameter is left out: cannot follow the reference 'x.yaml#/a'"))
    }
}
