/// A catalog that comes with Larder and is found by its name, so that the binary alone is enough to serve its API.
///
/// The texts are those of `Fixtures/catalogs`, which `scripts/embed-catalogs` puts beside this file as they are. They
/// are literals: nothing of them is read before one is asked for.
public struct ShippedCatalog: Sendable {
    /// The name of its file, without the ending.
    public let name: String
    /// The text, as the file has it.
    public let text: String

    /// All of them, by their names.
    public static var all: [ShippedCatalog] {
        [
            ShippedCatalog(name: "github", text: github),
            ShippedCatalog(name: "github-graphql", text: githubGraphql),
            ShippedCatalog(name: "gitlab", text: gitlab),
            ShippedCatalog(name: "hackernews", text: hackernews),
            ShippedCatalog(name: "kubernetes", text: kubernetes),
            ShippedCatalog(name: "pokeapi", text: pokeapi),
            ShippedCatalog(name: "prometheus", text: prometheus),
            ShippedCatalog(name: "rickandmorty", text: BuiltInCatalog.text),
            ShippedCatalog(name: "rickandmorty-graphql", text: rickandmortyGraphql),
            ShippedCatalog(name: "stripe", text: stripe),
            ShippedCatalog(name: "wikipedia", text: wikipedia),
        ]
    }

    /// The one of that name; nil where there is none.
    public static func named(_ name: String) -> ShippedCatalog? { all.first { $0.name == name } }

    /// The catalog itself; what it misses stops its API alone, as `CatalogDecoder.decode` says.
    public func decode(secrets: SecretSource) throws(CatalogFaults) -> Catalog {
        // What was kept of the API that is served without any catalog is found under this name too.
        if name == "rickandmorty" { return try BuiltInCatalog.decode() }
        return try CatalogDecoder.decode(Array(text.utf8), secrets: secrets, toleratesAbsence: true)
    }
}
