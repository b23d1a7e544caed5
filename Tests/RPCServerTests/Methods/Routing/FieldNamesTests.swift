import DataSources
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

@Suite(.limited) struct FieldNamesTests {
    @Test func fieldNamesMatchTheSchemaPatterns() throws {
        let text = #"""
            {
              "larder": 1,
              "apis": {"a": {"baseURL": "http://127.0.0.1:1"}},
              "resources": {"thing": {
                "api": "a", "id": "integer",
                "fields": {
                  "id": "integer", "a.b": "string", "at": {"x": "number", "y": ["any"]}, "tags": ["string"],
                  "rest": "any", "rows": [{"c": "string"}], "by": {"*": {"n": "integer"}}
                },
                "rest": {"get": {"path": "/things/{id}"}}
              }}
            }
            """#
        let resource = try #require(try CatalogDecoder.decode(Array(text.utf8), secrets: .empty).resources.first)
        let names = FieldNames(fields: try #require(resource.fields))
        #expect(names.areShown(by: "a.b") && names.areShown(by: "at.x") && names.areShown(by: "rest.of.it"))
        #expect(!names.areShown(by: "a") && !names.areShown(by: "a.b.c") && !names.areShown(by: "at.z"))
        for path in ["by", "by.me", "by.me.n", "tags.0", "tags.-1", "rows.2.c", "at.y.0.more", "rest"] {
            #expect(names.contain(path), "\(path)")
        }
        for path in ["by.me.n", "tags", "rows.c", "at.y.more", "rest.x"] {
            #expect(names.areShown(by: path), "\(path)")
        }
        for path in ["", ".tags", "tags.", "at..x", "by.me.x", "tags.0", "rows.2.c", "at.x.y"] {
            #expect(!names.areShown(by: path), "\(path)")
        }
        for path in ["", "by.", "by..n", "by.me.x", "by.me.n.m", "tags.x", "tags.0.0", "rows.c", "rest..x", "at.x.y"] {
            #expect(!names.contain(path), "\(path)")
        }
        #expect(
            names.patterns == [
                "^id$", #"^a\.b$"#, #"^at(\.(x|y(\.[+-]?[0-9]+(\.[^.]+)*)?))?$"#, #"^tags(\.[+-]?[0-9]+)?$"#,
                #"^rest(\.[^.]+)*$"#, #"^rows(\.[+-]?[0-9]+(\.(c))?)?$"#,
                #"^by(\.[^.]+(\.(n))?)?$"#,
            ])
    }
}
