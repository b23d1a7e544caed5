import JSON
import TestSupport
import Testing

@testable import Catalog

/// Compares the descriptions of the catalog format with the stored outputs of `larder catalog`.
@Suite(.limited) struct StoredFormatTests {
    private static let catalogs = [("kinds", "kinds.jsonc"), ("every-key", "../../../Fixtures/faults/catalog.json")]
    private static let secrets = SecretSource(
        environment: { $0 == "KEY" ? "a-secret-of-a-test" : nil }, file: { _ in nil })

    @Test func schemaOfCatalogsMatchesTheStoredSchema() throws {
        let stored = try JSONValue(parsing: GoldenFile.programOutput("catalog-schema.json"))
        let schema = CatalogSchema.document
        guard case .object(let expected)? = stored["$defs"], case .object(let found)? = schema["$defs"] else {
            Issue.record("a schema has no definitions")
            return
        }
        #expect(found.members.map(\.key) == expected.members.map(\.key))
        for member in expected.members { #expect(found[member.key]?.text == member.value.text, "\(member.key)") }
        for key in ["$schema", "title", "$ref"] { #expect(schema[key] == stored[key], "\(key)") }
    }

    @Test(arguments: catalogs) func effectiveCatalogMatchesTheStoredOutput(name: String, file: String) throws {
        let text = try GoldenFile.programOutput(file)
        let shown = EffectiveCatalog.value(of: Array(text.utf8), Self.secrets)
        #expect(try shown == JSONValue(parsing: GoldenFile.programOutput("\(name)/catalog-show.txt")))
    }

    @Test(arguments: catalogs) func typeScriptTypesMatchTheStoredOutput(name: String, file: String) throws {
        let text = try GoldenFile.programOutput(file)
        let catalog = try CatalogDecoder.decode(Array(text.utf8), secrets: Self.secrets)
        try GoldenFile.expect(
            TypeScriptTypes.text(catalog, origin: "CATALOG"), asProgramOutput: "\(name)/catalog-types.txt")
    }
}
