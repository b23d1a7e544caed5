import DataSources
import Mocks
import Model
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct CombinedCatalogTests {
    private static let key = FingerprintKey.random()
    private static let text = CatalogText.make(
        api: #"{"baseURL": "https://a.test", "headers": {"X": "${env:ABSENT}"}, "auth": {"bearer": "secret-of-a"}}"#)

    private static func catalog(_ text: String = text) throws -> Catalog {
        try CatalogDecoder.decode(Array(text.utf8), secrets: CatalogText.secrets, toleratesMissing: true)
    }

    private static func combined(_ texts: (name: String?, text: String)...) throws -> Catalog {
        Catalog(
            combining: try texts.map {
                NamedCatalog(name: $0.name, origin: "\($0.name ?? "-").jsonc", catalog: try catalog($0.text))
            })
    }

    private static func keys(_ catalog: Catalog) throws -> [ResourceKey] {
        try catalog.resources.map { ResourceKey($0, of: try #require(catalog.api(of: $0)), key: key) }
    }

    @Test func singleCatalogGetsNoNamePrefix() throws {
        #expect(try Self.combined((nil, Self.text)) == Self.catalog())
        #expect(try Self.combined(("one", Self.text)) == Self.catalog())
    }

    @Test func combinedNamesHaveTheCatalogAsPrefix() throws {
        let other = Self.text.replacing("https://a.test", with: "https://b.test")
        let catalog = try Self.combined(("one", Self.text), ("two", other))
        #expect(catalog.apis.map(\.name) == ["one.a", "two.a"])
        #expect(catalog.resources.map(\.name) == ["one.thing", "two.thing"])
        #expect(catalog.resources.map(\.api) == ["one.a", "two.a"])
        #expect(
            catalog.resources.map { catalog.api(of: $0)?.effectiveBaseURL } == ["https://a.test", "https://b.test"])
    }

    /// Even equal catalogs have separate entries, at every level of the cache.
    @Test func cacheKeysDifferBetweenCatalogs() throws {
        let combined = try Self.combined(("one", Self.text), ("two", Self.text))
        let keys = try Self.keys(combined) + Self.keys(Self.catalog())
        #expect(Set(keys.map(\.fingerprint)).count == 3)
        let declared = combined.resources.map { resource in
            combined.api(of: resource).map { ResourceKey.declarationFingerprint(resource, of: $0, key: Self.key) }
        }
        #expect(Set(declared).count == 2 && !declared.contains(nil))
    }

    @Test func cacheKeyDoesNotDependOnTheOtherCatalogs() throws {
        let pair = try Self.keys(Self.combined(("one", Self.text), ("two", Self.text)))
        let other = Self.text.replacing("https://a.test", with: "https://b.test")
        let reversed = try Self.keys(Self.combined(("two", other), ("one", Self.text)))
        #expect(pair[0] == reversed[1])
        #expect(pair[1] != reversed[0])
    }

    @Test func positionsInACombinedCatalogContainTheFileName() throws {
        let catalog = try Self.combined(("one", Self.text), ("two", Self.text))
        #expect(catalog.apis.map { $0.missingValues.map(\.file) } == [["one.jsonc"], ["two.jsonc"]])
        let command = Self.text.replacing(#""bearer": "secret-of-a""#, with: #""bearer": {"command": ["token"]}"#)
        let apis = try Self.combined(("one", command), ("two", Self.text)).apis
        #expect(apis.map { $0.authPlace?.file } == ["one.jsonc", nil])
    }

    @Test func combinedCatalogHasTheSecretsVariablesAndHeadersOfAllCatalogs() throws {
        let first = Self.text.replacing("https://a.test", with: "https://${var:HOST:-a.test}")
        let second = Self.text.replacing("secret-of-a", with: "secret-of-b").replacing(
            "https://a.test", with: "https://${var:ZONE:-a.test}")
        let catalog = try Self.combined(("one", first), ("two", second), ("three", first))
        #expect(catalog.secrets == ["secret-of-a", "secret-of-b"])
        #expect(
            catalog.apis.map { catalog.secrets(of: $0) } == [["secret-of-a"], ["secret-of-b"], ["secret-of-a"]])
        #expect(catalog.variables == ["HOST", "one.HOST", "three.HOST", "ZONE", "two.ZONE"])
        let parts = try [first, second].map { try Self.catalog($0) }
        #expect(catalog.answerHeaders == parts[0].answerHeaders.union(parts[1].answerHeaders))
    }
}
