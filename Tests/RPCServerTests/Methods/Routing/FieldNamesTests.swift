import DataSources
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct FieldNamesTests {
    @Test func aPatternForEachField() throws {
        let text = #"""
            {
              "larder": 1,
              "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {"thing": {
                "api": "a", "id": "integer",
                "fields": {
                  "id": "integer", "a.b": "string", "at": {"x": "number", "y": ["any"]}, "tags": ["string"],
                  "rest": "any", "rows": [{"c": "string"}]
                },
                "rest": {"get": {"path": "/things/{id}"}}
              }}
            }
            """#
        let resource = try #require(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources.first)
        let names = FieldNames(fields: try #require(resource.fields))
        #expect(names.areShown(by: "a.b") && names.areShown(by: "at.x") && names.areShown(by: "rest.of.it"))
        #expect(!names.areShown(by: "a") && !names.areShown(by: "a.b.c") && !names.areShown(by: "at.z"))
        #expect(
            names.patterns == [
                "^id$", #"^a\.b$"#, #"^at(\.(x|y(\.[+-]?[0-9]+(\.[^.]+)*)?))?$"#, #"^tags(\.[+-]?[0-9]+)?$"#,
                #"^rest(\.[^.]+)*$"#, #"^rows(\.[+-]?[0-9]+(\.(c))?)?$"#,
            ])
    }
}
