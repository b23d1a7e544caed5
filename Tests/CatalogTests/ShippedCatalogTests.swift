import Catalog
import System
import TestSupport
import Testing

@Suite(.limited) struct ShippedCatalogTests {
    private static let names = [
        "github", "github-graphql", "gitlab", "hackernews", "kubernetes", "pokeapi", "prometheus", "rickandmorty",
        "rickandmorty-graphql", "stripe", "wikipedia",
    ]

    @Test func theseAreThere() { #expect(ShippedCatalog.all.map(\.name) == Self.names) }

    /// Who copies the binary alone has what stands in the files.
    @Test(arguments: names) func itIsTheFile(name: String) throws {
        let shipped = try #require(ShippedCatalog.named(name))
        #expect(try Array(shipped.text.utf8) == Fixture.read("catalogs/\(name).jsonc"))
    }

    @Test(arguments: names) func itMissesNothingButSecrets(name: String) throws {
        let catalog = try #require(ShippedCatalog.named(name)).decode(secrets: .empty)
        #expect(catalog.apis.count == 1 && !catalog.resources.isEmpty)
        for absence in catalog.apis.flatMap(\.absences) {
            #expect(absence.message.hasPrefix("the environment variable '"), "\(absence.message)")
        }
    }

    /// So that what was kept without a catalog is found by who names the same one.
    @Test func theBuiltInOneIsFoundByItsNameToo() throws {
        let named = try #require(ShippedCatalog.named("rickandmorty")).decode(secrets: .empty)
        #expect(try named.resources.map(\.declaration) == BuiltInCatalog.decode().resources.map(\.declaration))
    }

    @Test(arguments: ["", "GitHub", "github.jsonc", "./github", "git"]) func noOtherNameIsOne(name: String) {
        #expect(ShippedCatalog.named(name) == nil)
    }
}
