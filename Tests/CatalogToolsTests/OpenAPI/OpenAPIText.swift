import Catalog
import CatalogTools
import JSON
import Testing

/// Creates small OpenAPI documents and reads their drafts.
enum OpenAPIText {
    /// Returns a document with a collection `/things` and its items.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the list, as JSON objects.
    ///   - answer: the schema of the list's answer.
    ///   - headers: the header fields of the list's answer.
    ///   - extra: further members of the list's operation, as `"name": value`.
    static func things(
        parameters: String = "", answer: String? = nil, headers: String = "{}", extra: String = ""
    ) -> String {
        let thing = ##"{"$ref": "#/components/schemas/thing"}"##
        let answer = answer ?? #"{"type": "array", "items": \#(thing)}"#
        return document(
            paths: """
                "/things": {"get": {\(extra.isEmpty ? "" : extra + ", ")"parameters": [\(parameters)], \
                \(get(answer, headers: headers))}},
                "/things/{id}": {"get": {"parameters": [\(path("id"))], \(get(thing))}}
                """,
            schemas: #""thing": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#)
    }

    /// Returns a document with the given paths and schemas.
    static func document(
        paths: String, schemas: String = "", servers: String = #"[{"url": "https://api.zoo.test/v1"}]"#,
        more: String = #""x": 0"#, version: String = "3.0.3"
    ) -> String {
        """
        {"openapi": "\(version)", "info": {"title": "The Zoo API"}, "servers": \(servers), "paths": {\(paths)},
         "components": {"schemas": {\(schemas)}, \(more)}}
        """
    }

    /// Returns the `responses` of a `get`.
    static func get(_ schema: String, headers: String = "{}") -> String {
        #""responses": {"200": {"headers": \#(headers), "content": {"application/json": {"schema": \#(schema)}}}}"#
    }

    static func path(_ name: String, _ type: String = "integer") -> String {
        #"{"name": "\#(name)", "in": "path", "required": true, "schema": {"type": "\#(type)"}}"#
    }

    static func query(_ name: String, _ schema: String = #"{"type": "string"}"#, _ more: String = "") -> String {
        #"{"name": "\#(name)", "in": "query", "schema": \#(schema)\#(more.isEmpty ? "" : ", " + more)}"#
    }

    /// Returns the catalog that is drafted from a document and records an issue if it is invalid.
    static func catalog(_ document: String) throws -> JSONValue {
        let text = try CatalogImport.draft(Array(document.utf8))
        #expect(DraftText.faults(in: text) == [])
        return try DraftText.value(text)
    }

    /// Returns a drafted resource.
    static func resource(_ name: String = "thing", of document: String) throws -> JSONValue {
        try #require(try catalog(document)["resources"]?[name])
    }

    /// Returns the list of the drafted resource `thing`.
    static func list(_ document: String) throws -> JSONValue {
        try #require(try resource(of: document)["rest"]?["list"])
    }
}

/// Reads drafted catalogs.
enum DraftText {
    static func value(_ text: String) throws -> JSONValue {
        try JSONDocument(Array(text.utf8), as: .jsonc).withRoot { JSONValue($0) }
    }

    /// Returns the faults of a draft. Missing secrets and variables do not count.
    static func faults(in text: String) -> [String] {
        do throws(CatalogFaults) {
            _ = try CatalogDecoder.decode(Array(text.utf8), secrets: .empty, toleratesMissing: true)
            return []
        } catch {
            return error.lines(file: "draft")
        }
    }
}
