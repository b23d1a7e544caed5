import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog

/// Compares all properties of decoded catalogs with golden files.
@Suite(.limited) struct DecodedCatalogTests {
    /// Returns the properties of the decoded catalog; nil if the catalog is invalid.
    private static func lines(_ catalog: JSONValue?) -> [String]? {
        guard let decoded = try? CatalogText.decode(catalog?.text ?? "") else { return nil }
        return PropertyLines.of(decoded, skipping: ["declaration"])
    }

    /// Returns the values to try in place of a value: none, and a flag with the opposite value.
    private static func variants(of value: JSONValue?) -> [(name: String, value: JSONValue?)] {
        switch value {
        case true: [("without", nil), ("false in", false)]
        case false: [("without", nil), ("true in", true)]
        case .number: [("without", nil), ("7 in", 7)]
        default: [("without", nil)]
        }
    }

    @Test func decodedCatalogWithEveryKeyMatchesTheRecording() throws {
        let catalog = try JSONDocument(Fixture.read("faults/catalog.json")).withRoot { JSONValue($0) }
        let whole = try #require(Self.lines(catalog))
        var lines = whole
        for place in JSONPlace.all(in: catalog) {
            for variant in Self.variants(of: place.value(in: catalog)) {
                guard let found = Self.lines(place.replacing(in: catalog, by: variant.value)) else { continue }
                let changes = found.difference(from: whole)
                lines.append("\(variant.name) '\(place)': \(changes.removals.count) lines removed, others added:")
                lines += changes.insertions.map { change in
                    if case .insert(_, let line, _) = change { "  + \(line)" } else { "" }
                }
            }
        }
        try GoldenFile.expect(lines, in: "faults/decoded.txt")
    }

    @Test func listWithoutOptionalKeysHasOnlyDefaults() throws {
        let catalog = try CatalogText.decode(CatalogText.make(rest: #"{"list": {"path": "/things"}}"#))
        #expect(catalog.resources[0].list == ListDefinition())
    }

    @Test func catalogWithoutOptionalKeysHasTheRecordedDefaults() throws {
        let rest = #"{"get": {"path": "/things/{id}"}, "list": {"path": "/things"}}"#
        let lines = try Self.lines(JSONValue(parsing: CatalogText.make(rest: rest)))
        try GoldenFile.expect(#require(lines), in: "faults/defaults.txt")
    }
}
