import Catalog
import System
import TestSupport
import Testing

@Suite(.limited) struct ShippedCatalogTests {
    private static let names = [
        "github", "github-graphql", "gitlab", "hackernews", "kubernetes", "pokeapi", "prometheus", "rickandmorty",
        "rickandmorty-graphql", "stripe", "wikipedia",
    ]

    @Test func allShippedCatalogsAreListed() { #expect(ShippedCatalog.all.map(\.name) == Self.names) }

    /// The program contains the text of each catalog file.
    @Test(arguments: names) func embeddedTextOfAShippedCatalogEqualsItsFile(name: String) throws {
        let shipped = try #require(ShippedCatalog.named(name))
        #expect(try shipped.text == Fixture.read("catalogs/\(name).jsonc"))
    }

    @Test(arguments: names) func shippedCatalogIsDecodedWithoutSecrets(name: String) throws {
        let catalog = try #require(ShippedCatalog.named(name)).decode(secrets: .empty)
        #expect(catalog.apis.count == 1 && !catalog.resources.isEmpty)
        for absence in catalog.apis.flatMap(\.missingValues) {
            #expect(absence.message.hasPrefix("the environment variable '"), "\(absence.message)")
        }
    }

    @Test func everyCatalogFileIsShipped() throws {
        let files = try Files.list(FilePath(Fixture.path("catalogs"))).map { "\($0)" }
        #expect(files.sorted() == Self.names.map { $0 + ".jsonc" }.sorted())
    }

    /// A process without a catalog and a process that names the built-in catalog share their cached entries.
    @Test func builtInCatalogIsAlsoFoundByName() throws {
        let named = try #require(ShippedCatalog.named("rickandmorty"))
        #expect(named.text == ShippedCatalog.builtIn.text && ShippedCatalog.builtIn.name == named.name)
    }

    @Test(arguments: ["", "GitHub", "github.jsonc", "./github", "git"])
    func unknownNameMatchesNoShippedCatalog(name: String) {
        #expect(ShippedCatalog.named(name) == nil)
    }
}
