import JSON
import TestSupport
import Testing

@testable import CatalogTools

@Suite(.limited) struct SwaggerConversionTests {
    /// Returns the conversion of a document whose further members are given as JSON.
    private func converted(_ members: String) throws -> JSONValue {
        let text = #"{"swagger": "2.0", "info": {"title": "Zoo"}, \#(members)}"#
        let json = try JSONDocument(Array(text.utf8)).withRoot { root in
            var conversion = SwaggerConversion(root)
            return conversion.json()
        }
        return try JSONDocument(json).withRoot { JSONValue($0) }
    }

    /// Returns the `get` of `/things` in a converted document.
    private func operation(_ members: String, _ more: String = #""x-more": 0"#) throws -> JSONValue {
        let document = try converted(#""paths": {"/things": {"get": {\#(members)}}}, \#(more)"#)
        return try #require(document["paths"]?["/things"]?["get"])
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    @Test(
        arguments: [
            (#""host": "a.test", "basePath": "/v1", "schemes": ["http", "https"]"#, "https://a.test/v1"),
            (#""host": "a.test:8080", "schemes": ["http"]"#, "http://a.test:8080"),
            (#""host": "a.test", "basePath": "v1""#, "https://a.test/v1"), (#""basePath": "/v1""#, "/v1"),
            (#""x": 0"#, nil),
        ])
    func swaggerHostAndBasePathBecomeTheServer(members: String, url: String?) throws {
        let document = try converted(members)
        #expect(document["openapi"] == "3.0.3")
        #expect(document["servers"]?[0]?["url"] == url.map { .string($0) })
        #expect(document["host"] == nil)
    }

    @Test(
        arguments: [
            ("", #"{"name": "a", "in": "query", "schema": {"type": "integer", "default": 2}}"#),
            (
                #", "required": true, "enum": [1]"#,
                #"{"name": "a", "in": "query", "required": true, "#
                    + #""schema": {"type": "integer", "default": 2, "enum": [1]}}"#
            ),
            (
                #", "x-nullable": true"#,
                #"{"name": "a", "in": "query", "schema": {"type": "integer", "default": 2, "nullable": true}}"#
            ),
        ])
    func swaggerParameterTypesBecomeSchemas(more: String, expected: String) throws {
        let operation = try operation(
            #""parameters": [{"name": "a", "in": "query", "type": "integer", "default": 2\#(more)}]"#)
        #expect(try operation["parameters"]?[0] == json(expected))
    }

    @Test(
        arguments: [
            ("", #""explode": false"#), (#", "collectionFormat": "csv""#, #""explode": false"#),
            (#", "collectionFormat": "multi""#, #""explode": true"#),
            (#", "collectionFormat": "ssv""#, #""style": "spaceDelimited", "explode": false"#),
            (#", "collectionFormat": "pipes""#, #""style": "pipeDelimited", "explode": false"#),
            (#", "collectionFormat": "tsv""#, #""style": "tabDelimited", "explode": false"#),
        ])
    func swaggerCollectionFormatsBecomeStyles(format: String, style: String) throws {
        let operation = try operation(
            #""parameters": [{"name": "a", "in": "query", "type": "array", "items": {"type": "string"}\#(format)}]"#)
        let expected =
            #"{"name": "a", "in": "query", \#(style), "schema": {"type": "array", "items": {"type": "string"}}}"#
        #expect(try operation["parameters"]?[0] == json(expected))
    }

    @Test func swaggerResponsesGetTheProducedContentType() throws {
        let response = ##"""
            "responses": {"200": {"description": "d", "schema": {"$ref": "#/definitions/a.b"},
              "headers": {"Link": {"type": "string"}}, "examples": {"application/json": {"id": 1}}}}
            """##
        let schema = ##"{"$ref": "#/components/schemas/a.b"}"##
        for (produces, type) in [
            ("[]", "application/json"),
            (#"["text/xml", "application/vnd.a+json; v=1"]"#, "application/vnd.a+json; v=1"),
            (#"["*/*"]"#, "application/json"), (#"["text/csv"]"#, "text/csv"),
        ] {
            let operation = try operation(response, #""produces": \#(produces)"#)
            let answer = try #require(operation["responses"]?["200"])
            #expect(try answer["content"]?[type]?["schema"] == json(schema))
            #expect(answer["content"]?[type]?["example"] == ["id": 1])
            #expect(answer["headers"] == ["Link": ["schema": ["type": "string"]]])
            #expect(answer["schema"] == nil)
        }
    }

    /// Extensions of a path may look like operations.
    @Test func extensionsOfASwaggerPathAreUnchanged() throws {
        let document = try converted(
            #""paths": {"/a": {"x-a": {"parameters": 1, "produces": ["text/csv"]}, "get": {"produces": ["text/csv"]}}}"#
        )
        #expect(document["paths"]?["/a"]?["x-a"] == ["parameters": 1, "produces": ["text/csv"]])
        #expect(document["paths"]?["/a"]?["get"]?["produces"] == nil)
    }

    /// A reference to another document is replaced by its target, which is not converted. References within the
    /// document stay.
    @Test func onlyReferencesToOtherDocumentsAreInlined() throws {
        let text = ##"""
            {"a": {"$ref": "#/x-larder-documents/1/p"}, "b": {"$ref": "#/c"}, "c": 1,
            "d": {"$ref": "#/x-larder-documents/1/none"}, "x-larder-documents": {"1": {"p": 2}}}
            """##
        try JSONDocument(Array(text.utf8)).withRoot { root in
            let references = SwaggerReferences(root)
            func inlined(_ name: String, size: Int = 0) -> JSONValue? {
                root[name].map { JSONValue(references.inlined($0, size: size)) }
            }
            #expect(inlined("a") == 2)
            #expect(inlined("b") == ["$ref": "#/c"] && inlined("c") == 1)
            #expect(inlined("d") == ["$ref": "#/x-larder-documents/1/none"])
            // 16 MiB and four times the size of the document.
            let limit = (16 << 20) + 4 * text.utf8.count
            #expect(inlined("a", size: limit - 1) == 2)
            #expect(inlined("a", size: limit) != 2)
        }
    }

    @Test func swaggerBodiesBecomeRequestBodies() throws {
        let body = #"{"name": "b", "in": "body", "required": true, "schema": {"type": "object"}}"#
        let expected = #"{"required": true, "content": {"application/json": {"schema": {"type": "object"}}}}"#
        let own = try operation(#""parameters": [\#(body)]"#)
        #expect(try own["requestBody"] == json(expected))
        #expect(own["parameters"] == [])
        let shared = try converted(
            ##"""
            "paths": {"/things": {"parameters": [{"$ref": "#/parameters/b"}], "get": {}}},
            "parameters": {"b": \##(body)}
            """##
        )
        let reference = try json(##"{"$ref": "#/components/requestBodies/b"}"##)
        #expect(shared["paths"]?["/things"]?["get"]?["requestBody"] == reference)
        #expect(shared["paths"]?["/things"]?["parameters"] == [])
        #expect(try shared["components"]?["requestBodies"]?["b"] == json(expected))
    }

    @Test func swaggerFormFieldsBecomeOneObject() throws {
        let operation = try operation(
            ##"""
            "consumes": ["multipart/form-data"],
            "parameters": [{"name": "a", "in": "formData", "type": "file"}, {"$ref": "#/parameters/f"}]
            """##,
            #""parameters": {"f": {"name": "n", "in": "formData", "type": "integer"}}"#)
        let properties = try json(
            ##"{"a": {"type": "string"}, "n": {"$ref": "#/components/parameters/f/schema"}}"##)
        #expect(operation["requestBody"]?["content"]?["multipart/form-data"]?["schema"]?["properties"] == properties)
    }

    @Test(
        arguments: [
            (#"{"type": "basic", "description": "d"}"#, #"{"type": "http", "scheme": "basic", "description": "d"}"#),
            (#"{"type": "apiKey", "in": "header", "name": "K"}"#, #"{"type": "apiKey", "in": "header", "name": "K"}"#),
            (
                #"{"type": "oauth2", "flow": "application", "tokenUrl": "t", "scopes": {}}"#,
                #"{"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "t", "scopes": {}}}}"#
            ),
            (
                #"{"type": "oauth2", "flow": "accessCode", "authorizationUrl": "a", "tokenUrl": "t"}"#,
                #"{"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "a", "tokenUrl": "t"}}}"#
            ),
            (
                #"{"type": "oauth2", "flow": "implicit", "authorizationUrl": "a"}"#,
                #"{"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "a"}}}"#
            ),
            (#"{"type": "oauth2"}"#, #"{"type": "oauth2", "flows": {}}"#),
        ])
    func swaggerSecurityDefinitionsBecomeSchemes(definition: String, scheme: String) throws {
        let document = try converted(#""securityDefinitions": {"s": \#(definition)}"#)
        #expect(try document["components"]?["securitySchemes"]?["s"] == json(scheme))
    }

    @Test(
        arguments: [
            ("#/definitions/a", "#/components/schemas/a"), ("#/parameters/a", "#/components/parameters/a"),
            ("#/responses/a", "#/components/responses/a"), ("other.json#/definitions/a", "other.json#/definitions/a"),
            ("#/responses/a/schema/items", "#/components/responses/a/content/application~1json/schema/items"),
            ("#/paths/~1a/get/responses/200/schema", "#/paths/~1a/get/responses/200/content/application~1json/schema"),
            ("#/definitions/responses/properties/schema", "#/components/schemas/responses/properties/schema"),
        ])
    func convertedReferencesPointToTheConvertedSchemas(text: String, reference: String) {
        #expect(SwaggerValues.reference(text) == reference)
    }

    /// Every document is converted to valid JSON.
    @Test(
        arguments: [
            "", #""paths": []"#,
            #""paths": {"a": [], "b": 1, "/c": {"get": [], "parameters": {}, "post": {"parameters": 1}}}"#,
            #""schemes": {}, "host": 1, "basePath": [], "produces": 1"#,
            ##""parameters": {"a": {"$ref": "#/parameters/a"}}, "##
                + ##""paths": {"/a": {"get": {"parameters": [{"$ref": "#/parameters/a"}]}}}"##,
            #""definitions": 1, "responses": {"a": 1}, "securityDefinitions": {"a": [], "b": {"type": 1}}"#,
            #""paths": {"/a": {"get": {"responses": {"200": {"headers": [], "examples": 1, "schema": 1}}}}}"#,
        ])
    func swaggerConversionKeepsUnexpectedValues(members: String) throws {
        _ = try converted(members.isEmpty ? #""x": 0"# : members)
    }
}
