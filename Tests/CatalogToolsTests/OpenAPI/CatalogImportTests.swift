import CatalogTools
import JSON
import TestSupport
import Testing

@Suite(.limited) struct CatalogImportTests {
    @Test(arguments: ["github", "stripe", "kubernetes"])
    func draftsOfKnownDocumentsMatchTheFixtures(name: String) throws {
        let text = try CatalogImport.draft(Fixture.read("openapi/\(name).json"))
        #expect(text == String(decoding: try Fixture.read("openapi/\(name).jsonc"), as: UTF8.self))
        #expect(DraftText.faults(in: text) == [])
    }

    @Test(arguments: ["github", "stripe", "kubernetes"])
    func yamlDocumentGivesTheSameDraftAsJSON(name: String) throws {
        let text = try CatalogImport.draft(Fixture.read("openapi/yaml/\(name).yaml"))
        #expect(text == String(decoding: try Fixture.read("openapi/\(name).jsonc"), as: UTF8.self))
    }

    @Test(arguments: ["github", "kubernetes"])
    func swaggerDocumentGivesTheSameDraftAsOpenAPI3(name: String) throws {
        let text = try CatalogImport.draft(Fixture.read("openapi/swagger/\(name).json"))
        #expect(text == String(decoding: try Fixture.read("openapi/\(name).jsonc"), as: UTF8.self))
    }

    @Test(
        arguments: [
            ("", "the document is not YAML: there is no value"), ("nonsense", "must be an object"),
            ("[]", "must be an object"),
            (#"{"openapi": "#, "the document is not JSON: expected a value, but the JSON ends at line 1, column 13"),
            ("{}", "'openapi' must start"), (#"{"openapi": 3}"#, "'openapi' must start"),
            (#"{"openapi": "2.0", "paths": {}}"#, "'openapi' must start"),
            (#"{"swagger": "2.0", "paths": {}}"#, "no path has a GET operation"),
            (#"{"openapi": "3.0.0"}"#, "has no object 'paths'"),
            (#"{"openapi": "3.0.0", "paths": []}"#, "has no object 'paths'"),
            (#"{"openapi": "3.1.0", "paths": {}}"#, "no path has a GET operation"),
            ("openapi: 3.0\npaths: {}\n", "no path has a GET operation"),
            ("# mine\nswagger: 2.0\n", "has no object 'paths'"),
            ("swagger: '1.2'\n", "convert it to Swagger 2.0"),
            (
                "openapi: 3.0.0\nopenapi: 3.1.0\n",
                "the key 'openapi' of line 1 must not be repeated at line 2, column 1"
            ),
        ])
    func invalidDocumentsAreRejected(text: String, reason: String) throws {
        let error = #expect(throws: CatalogDraftError.self) { try CatalogImport.draft(Array(text.utf8)) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    /// Every document results in a valid catalog or an error.
    @Test func anyDocumentProducesADraftOrAnError() throws {
        var random = SeededGenerator(seed: 11)
        var made = 0
        for name in ["github", "stripe", "kubernetes"] {
            let document = try JSONValue(parsing: String(decoding: Fixture.read("openapi/\(name).json"), as: UTF8.self))
            for _ in 0..<60 {
                var changed = document
                for _ in 0...Int.random(in: 0..<6, using: &random) { changed = Self.changed(changed, &random) }
                do throws(CatalogDraftError) {
                    let text = try CatalogImport.draft(Array(changed.text.utf8))
                    #expect(DraftText.faults(in: text) == [])
                    made += 1
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
        #expect(made > 40)
    }

    /// Returns a JSON value with one nested value replaced or removed.
    private static func changed(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        let odd: [JSONValue] = [
            nil, true, 0, -1, .number("1.5"), "", "{", "${env:A}", "\u{0}\n// x", "a.b", [], [nil], [:], ["$ref": "#"],
            ["$ref": "#/paths"],
            ["type": "array"], ["type": "object", "properties": ["*": [:], "": [:], "x?": [:], "type": [:]]],
            ["type": ["string", "null", 1]], ["enum": [1, "a", nil, "a"]], "date-time", "query", "id",
        ]
        let isDeep = Int.random(in: 0..<8, using: &random) > 0
        switch value {
        case .object(let object) where isDeep && !object.members.isEmpty:
            let member = object.members[Int.random(in: 0..<object.members.count, using: &random)]
            var object = object
            object[member.key] = changed(member.value, &random)
            return .object(object)
        case .array(let values) where isDeep && !values.isEmpty:
            var values = values
            let index = Int.random(in: 0..<values.count, using: &random)
            values[index] = changed(values[index], &random)
            return .array(values)
        default: return odd[Int.random(in: 0..<odd.count, using: &random)]
        }
    }

    /// Schemas that refer to each other three times are not read 3^12 times.
    @Test(arguments: ["allOf", "anyOf", "oneOf"])
    func exponentialReferencesInADocumentAreLimited(key: String) throws {
        let schemas = (0..<12).map { index in
            let next = ##"{"$ref": "#/components/schemas/s\##(index + 1)"}"##
            return
                #""s\#(index)": {"\#(key)": [\#(next), {"type": "object", "properties": {"a\#(index)": \#(next)}}, \#(next)]}"#
        }
        let document = OpenAPIText.document(
            paths: #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], "#
                + OpenAPIText.get(##"{"$ref": "#/components/schemas/s0"}"##) + "}}",
            schemas: schemas.joined(separator: ",")
                + #", "s12": {"type": "object", "properties": {"id": {"type": "integer"}}}"#)
        let text = try? CatalogImport.draft(Array(document.utf8))
        let isCut = text?.contains("the type is unknown, because the schema is too large")
        // With the other keys, no item has an id.
        let expected: Bool? = key == "allOf" ? true : nil
        #expect(isCut == expected)
    }

    /// If a reference such as `${env:HOME}` were expanded, the first request would send a secret of this machine to the
    /// document's host.
    @Test func referencesInADocumentAreNotExpanded() throws {
        let only = #"{"type": "string", "enum": ["${env:HOME}"]}"#
        let parameters = [
            OpenAPIText.query("kind", only, #""required": true"#), OpenAPIText.query("${file:/etc/passwd}"),
            OpenAPIText.query("size_of", #"{"type": "string", "default": "${env:HOME}"}"#), OpenAPIText.query("plain"),
            #"{"name": "X-Kind", "in": "header", "required": true, "schema": \#(only)}"#,
        ]
        let document = OpenAPIText.things(parameters: parameters.joined(separator: ","))
        let list = try OpenAPIText.list(document)
        #expect(list["query"] == nil && list["headers"] == nil)
        #expect(list["filters"]?.text == #"{"plain":"plain"}"#)
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(text.contains("'X-Kind' is left out: the text contains '${'"))
    }

    @Test func documentWithoutUsableResourcesIsRejectedWithTheFirstReason() throws {
        let schema = #"{"type": "object", "properties": {"${id}": {"type": "integer"}}}"#
        let paths =
            #""/things/{id}": {"get": {"parameters": [\#(OpenAPIText.path("id"))], \#(OpenAPIText.get(schema))}}"#
        let error = #expect(throws: CatalogDraftError.self) {
            try CatalogImport.draft(Array(OpenAPIText.document(paths: paths).utf8))
        }
        #expect(error?.message.contains("GET /things/{id}: the text contains '${'") == true, "\(error?.message ?? "")")
    }

    /// Text from a document cannot end the comment that contains it.
    @Test func documentTextCannotEndADraftComment() throws {
        let summary = #"a\n\"x\": 1, \u2028 b\r \u0007 */ c"#
        let text = try CatalogImport.draft(
            Array(OpenAPIText.things(extra: #""summary": "\#(summary)""#).utf8))
        #expect(text.contains(#"GET /things: a "x": 1, b */ c"#))
        #expect(!text.contains("\u{2028}") && !text.contains("\u{7}"))
    }

    @Test func pathWithOnlyPostIsReported() throws {
        let post = #"{"post": {"responses": {"200": {"description": "found"}}}}"#
        let things = OpenAPIText.things().replacing(
            #""/things": {"get""#, with: #""/find": \#(post), "/things": {"post": {}, "get""#)
        let text = try CatalogImport.draft(Array(things.utf8))
        #expect(text.contains("/find: has only a POST operation; "))
        #expect(text.contains(#"if it does not change data, declare it with "method": "POST""#))
        #expect(!text.contains("/things: has only a POST"))
    }

    @Test func pathWithAColonAndPathBeforeTheColonAreReportedSeparately() throws {
        let empty = #"{"get": {"responses": {"204": {"description": "done"}}}}"#
        let things = OpenAPIText.things().replacing(
            #""/things": {"get""#, with: #""/find": {"post": {}}, "/find:export": \#(empty), "/things": {"get""#)
        let text = try CatalogImport.draft(Array(things.utf8))
        #expect(text.contains("// /find:export: the answer has no content"))
        #expect(text.contains("// /find: has only a POST operation; if it does not change data"))
    }
}
