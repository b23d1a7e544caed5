import DataSources
import JSON
import Protocol
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

@Suite(.limited) struct ItemSchemaTests {
    private static func resource(fields: String, id: String = "integer") throws -> ResourceDefinition {
        let text = """
            {
              "larder": 1,
              "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {"thing": {"api": "a", "id": "\(id)"\(fields), "rest": {"get": {"path": "/things/{id}"}}}}
            }
            """
        return try #require(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources.first)
    }

    private static func field(_ type: String, isPartial: Bool = false) throws -> String {
        let resource = try resource(fields: #", "fields": {"x\#(type)}"#)
        return JSONSchema(try #require(resource.fields?.first).type, isPartial: isPartial).json.text
    }

    @Test(
        arguments: [
            (#"": "string""#, #"{"type":"string"}"#),
            (#"": "integer""#, #"{"type":"integer"}"#),
            (#"": "number""#, #"{"type":"number"}"#),
            (#"": "boolean""#, #"{"type":"boolean"}"#),
            (#"": "any""#, "{}"),
            (#"": "string?""#, #"{"type":["string","null"]}"#),
            (#"": "integer?""#, #"{"type":["integer","null"]}"#),
            (#"": "any?""#, "{}"),
            (#"": ["number"]"#, #"{"type":"array","items":{"type":"number"}}"#),
            (#"": ["number?"]"#, #"{"type":"array","items":{"type":["number","null"]}}"#),
            (#"?": [["any"]]"#, #"{"type":["array","null"],"items":{"type":"array","items":{}}}"#),
            (#"": ["a", "b"]"#, #"{"enum":["a","b"]}"#),
            (#"?": ["a", "b"]"#, #"{"enum":["a","b",null]}"#),
            (#"": {"type": ["a", "b"], "otherwise": "c"}"#, #"{"enum":["a","b","c"]}"#),
            (#"": {"type": ["a", "b"], "otherwise": "b"}"#, #"{"enum":["a","b"]}"#),
            (
                #"": {"a": "string", "b?": ["string"]}"#,
                #"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":["array","null"],"#
                    + #""items":{"type":"string"}}},"required":["a","b"],"additionalProperties":false}"#
            ),
            (
                #"?": {"a": "any"}"#,
                #"{"type":["object","null"],"properties":{"a":{}},"required":["a"],"additionalProperties":false}"#
            ),
        ])
    func everyKindOfFieldHasItsSchema(type: String, schema: String) throws {
        #expect(try Self.field(type) == schema)
    }

    @Test func partialItemRequiresNoField() throws {
        #expect(
            try Self.field(#"": {"a": "string", "b": "any"}"#, isPartial: true)
                == #"{"type":"object","properties":{"a":{"type":"string"},"b":{}},"additionalProperties":false}"#)
        let resource = try Self.resource(fields: #", "fields": {"id": "integer", "a": "string"}"#)
        #expect(JSONSchema(itemOf: resource, isPartial: true).json["required"] == nil)
        #expect(JSONSchema(itemOf: resource, isPartial: false).json["required"] == ["id", "a"])
    }

    @Test func itemWithoutDeclaredFieldsIsAnyObject() throws {
        #expect(JSONSchema(itemOf: try Self.resource(fields: ""), isPartial: false).json.text == #"{"type":"object"}"#)
    }

    @Test(arguments: [("integer", #"{"type":"integer"}"#), ("string", #"{"type":"string","minLength":1}"#)])
    func idInAnItemSchemaHasTheIDTypeOfTheResource(id: String, schema: String) throws {
        let resource = try Self.resource(fields: #", "fields": {"id": "\#(id)"}"#, id: id)
        #expect(JSONSchema(itemOf: resource, isPartial: false).json["properties"]?["id"]?.text == schema)
    }

    /// The name and the path of a field in the API's answer do not affect the schema.
    @Test func schemaFieldIsNamedAsInTheCatalog() throws {
        let resource = try Self.resource(fields: #", "fields": {"a": {"from": "b.c", "type": "string"}}"#)
        #expect(
            JSONSchema(itemOf: resource, isPartial: false).json["properties"]?.text == #"{"a":{"type":"string"}}"#)
    }

    @Test(
        arguments: [
            ("", "item.thing"), (#", "of": "items", "complete": true"#, "item.thing"),
            (#", "of": "ids""#, "listItem.thing"), (#", "of": "ids", "hydrate": true"#, "item.thing"),
        ])
    func onlyPartialListsHaveTheirOwnSchema(list: String, name: String) throws {
        let text = """
            {
              "larder": 1,
              "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {"thing": {"api": "a", "id": "integer", "fields": {"id": "integer"},
                "rest": {"get": {"path": "/things/{id}"}, "list": {"path": "/things"\(list)}}}}
            }
            """
        let resource = try #require(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources.first)
        #expect(resource.listItemSchemaName == name)
    }
}
