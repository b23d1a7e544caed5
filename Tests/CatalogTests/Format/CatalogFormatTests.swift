import JSON
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct CatalogFormatTests {
    /// The decoders and the schema use one list of keys. Decoders have no lists of their own.
    @Test func decodersHaveNoKeyListsOfTheirOwn() throws {
        let root = Fixture.path("").dropLast("/Fixtures/".count)
        for folder in ["Decoding", "Pagination"] {
            let path = FilePath("\(root)/Sources/Catalog/\(folder)")
            let names = try Files.list(path).filter { "\($0)".hasSuffix(".swift") }
            #expect(names.count >= 10)
            for name in names {
                let text = String(decoding: try Files.read(path + "/" + name), as: UTF8.self)
                #expect(!text.contains("keys: [\""), "\(name)")
            }
        }
    }

    @Test func everyPartAndKeyOfTheCatalogFormatIsUniqueAndHasASummary() {
        #expect(CatalogPart.all.count > 30)
        for part in CatalogPart.all {
            #expect(Set(part.names).count == part.keys.count && !part.keys.isEmpty, "\(part.name)")
            for text in [part.summary] + part.keys.map(\.summary) { #expect(text.hasSuffix("."), "\(part.name)") }
            for group in part.oneOf { #expect(Set(group).isSubset(of: part.names), "\(part.name)") }
        }
        #expect(Set(CatalogPart.all.map(\.name)).count == CatalogPart.all.count)
    }

    @Test func schemaHasExactlyTheKeysOfTheFormat() throws {
        let definitions = try #require(CatalogSchema.document["$defs"])
        for part in CatalogPart.all {
            let schema = try #require(definitions[part.name])
            guard case .object(let properties)? = schema["properties"] else {
                Issue.record("\(part.name) has no properties")
                continue
            }
            #expect(properties.members.map(\.key) == part.names)
            #expect(schema["additionalProperties"] == false)
        }
    }

    @Test func everyPaginationSchemaRequiresAStyle() throws {
        let definitions = try #require(CatalogSchema.document["$defs"])
        let parts = CatalogPart.all.filter { $0.name.hasSuffix("Pagination") }
        #expect(parts.count >= 4)
        for part in parts {
            #expect(part.keys.first?.name == "style" && part.keys.first?.isRequired == true, "\(part.name)")
            guard case .array(let required)? = definitions[part.name]?["required"] else {
                Issue.record("\(part.name) requires nothing")
                continue
            }
            #expect(required.contains("style"), "\(part.name)")
        }
    }

    @Test func everySchemaReferenceHasADefinition() throws {
        guard case .object(let definitions)? = CatalogSchema.document["$defs"] else { return #expect(Bool(false)) }
        let known = Set(definitions.members.map { "#/$defs/\($0.key)" })
        func references(_ value: JSONValue) -> [String] {
            switch value {
            case .array(let elements): elements.flatMap { references($0) }
            case .object(let object):
                object.members.flatMap { member in
                    if member.key == "$ref", case .string(let name) = member.value { return [name] }
                    return references(member.value)
                }
            default: []
            }
        }
        let found = Set(references(CatalogSchema.document))
        #expect(found.isSubset(of: known) && found.count > 30)
    }

    private static let catalogs: [String] = {
        let fixtures = (try? Files.list(FilePath(Fixture.path("catalogs")))) ?? []
        let texts = fixtures.compactMap { try? Fixture.read("catalogs/\($0)") }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }()

    /// The effective form of a catalog declares the same resources as the catalog.
    @Test(arguments: catalogs)
    func effectiveCatalogDecodesToTheSameResources(text: String) throws {
        func resources(_ text: String) throws -> [ResourceDefinition] {
            try CatalogDecoder.decode(Array(text.utf8), secrets: CatalogText.secrets, toleratesMissing: true)
                .resources.map { resource in
                    var resource = resource
                    resource.declaration = []
                    return resource
                }
        }
        let shown = EffectiveCatalog.value(of: Array(text.utf8), CatalogText.secrets).text
        #expect(try resources(shown) == resources(text))
        #expect(EffectiveCatalog.value(of: Array(shown.utf8), CatalogText.secrets).text == shown)
    }

    @Test(
        arguments: [
            ("https://a.test/x@y", "https://a.test/x@y"), ("https://u:p@a.test", "https://***@a.test"),
            ("u:p@a.test", "u:p@a.test"), ("a b", "a b"), ("mail me@a.test", "mail me@a.test"),
        ])
    func userinfoIsHiddenOnlyInURLs(value: String, shown: String) {
        let api = #"{"baseURL": "https://a.test", "headers": {"X": "\#(value)"}}"#
        let catalog = EffectiveCatalog.value(of: Array(CatalogText.make(api: api).utf8), .empty)
        #expect(catalog["apis"]?["a"]?["headers"]?["X"] == .string(shown))
    }

    @Test(
        arguments: [
            (#""style": "since", "param": "s", "from": "f""#, "1m", nil, "7d"),
            (
                #""style": "since", "param": "s", "from": "f", "type": "date", "deleted": {"when": "d"}"#, "1m", nil,
                "7d"
            ),
            (#""style": "since", "param": "s", "from": "f", "type": "integer", "whole": "1d""#, 0, nil, "1d"),
            (#""style": "token", "param": "s", "next": "n""#, nil, "list", "7d"),
            (#""style": "token", "param": "s", "next": "n", "deleted": {"when": "d"}"#, nil, "list", nil),
            (#""style": "token", "param": "s", "next": "n", "id": "x", "of": "ids""#, nil, "list", nil),
        ] as [(String, JSONValue?, JSONValue?, JSONValue?)])
    func effectiveSyncHasTheDefaultsOfItsStyle(
        keys: String, overlap: JSONValue?, begin: JSONValue?, whole: JSONValue?
    ) throws {
        let rest = #"{"get": {"path": "/{id}"}, "list": {"path": "/"}, "sync": {\#(keys)}}"#
        let shown = EffectiveCatalog.value(of: Array(CatalogText.make(rest: rest).utf8), .empty)
        let sync = try #require(shown["resources"]?["thing"]?["rest"]?["sync"])
        #expect(sync["overlap"] == overlap && sync["begin"] == begin && sync["whole"] == whole)
    }

    @Test func effectiveCatalogHasDefaultsAndVariablesButNoSecrets() throws {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://${var:HOST:-h}.test", "proxy": "http://u:p@proxy:1",
              "headers": {"X": "k ${env:KEY}", "Y": "${file:/run/key}", "Z": 7},
              "auth": {"basic": {"user": "${var:LOST}", "password": "literal"}}}},
             "resources": {"r": {"api": "a", "id": "integer", "scope": {"s": "string"}, "fields": {"a": "string"},
              "rest": {"list": {"path": "/{s}", "filters": {"f": "g", "s": ["A", "B"]}, "query": {"k": ["${env:KEY}", 1]},
               "pagination": {"style": "page", "param": "p"}}}}}}
            """
        let shown = EffectiveCatalog.value(of: Array(text.utf8), CatalogText.secrets)
        let api = try #require(shown["apis"]?["a"])
        #expect(api["baseURL"] == "https://h.test" && api["proxy"] == "http://***@proxy:1")
        #expect(api["headers"] == ["X": "k ***", "Y": "***", "Z": 7] && api["retries"] == 2 && api["timeout"] == "10s")
        #expect(api["auth"]?["basic"] == ["user": "${var:LOST}", "password": "***"])
        let resource = try #require(shown["resources"]?["r"])
        #expect(resource["id"] == ["type": "integer"] && resource["scope"] == ["s": ["type": "string"]])
        let list = try #require(resource["rest"]?["list"])
        #expect(list["method"] == "GET" && list["query"] == ["k": ["***", 1]])
        #expect(
            list["filters"]?["f"] == ["param": "g", "type": "string", "required": false, "allowEmpty": false])
        #expect(list["filters"]?["s"] == ["type": ["A", "B"], "required": false, "allowEmpty": false])
        #expect(list["pagination"] == ["style": "page", "param": "p", "first": 1])
    }
}
