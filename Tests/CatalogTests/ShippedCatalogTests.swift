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
        #expect(try shipped.text == Fixture.read("catalogs/\(name).jsonc"))
    }

    @Test(arguments: names) func itMissesNothingButSecrets(name: String) throws {
        let catalog = try #require(ShippedCatalog.named(name)).decode(secrets: .empty)
        #expect(catalog.apis.count == 1 && !catalog.resources.isEmpty)
        for absence in catalog.apis.flatMap(\.absences) {
            #expect(absence.message.hasPrefix("the environment variable '"), "\(absence.message)")
        }
    }

    @Test func everyFileShips() throws {
        let files = try Files.list(FilePath(Fixture.path("catalogs"))).map { "\($0)" }
        #expect(files.sorted() == Self.names.map { $0 + ".jsonc" }.sorted())
    }

    /// Entries stored without a catalog are found by a process that names the same one.
    @Test func theBuiltInOneHasAName() throws {
        let named = try #require(ShippedCatalog.named("rickandmorty"))
        #expect(named.text == ShippedCatalog.builtIn.text && ShippedCatalog.builtIn.name == named.name)
    }

    @Test(arguments: ["", "GitHub", "github.jsonc", "./github", "git"]) func noOtherNameIsOne(name: String) {
        #expect(ShippedCatalog.named(name) == nil)
    }
}
