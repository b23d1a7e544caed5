import CCatalogs

/// A catalog that is built into the program. A user selects it by its name and needs no catalog file.
///
/// The target `CCatalogs` embeds the files of `Fixtures/catalogs`. The text of a catalog is copied only when the
/// catalog is used.
// Safe: the pointers lead to constants of the program.
public struct ShippedCatalog: @unchecked Sendable {
    private let embedded: larder_catalog

    /// The default catalog, used if the user names no catalog: the Rick and Morty API over REST.
    public static var builtIn: ShippedCatalog { ShippedCatalog(embedded: larder_catalog_built_in()) }

    /// All shipped catalogs, sorted by name.
    public static var all: [ShippedCatalog] {
        (0..<larder_catalog_count()).map { ShippedCatalog(embedded: larder_catalog_at($0)) }
    }

    /// Returns the shipped catalog with the given name; nil if there is none.
    public static func named(_ name: String) -> ShippedCatalog? { all.first { $0.name == name } }

    /// The name of the catalog's file, without the extension.
    public var name: String { String(cString: embedded.name) }

    /// The text of the catalog's file.
    public var text: [UInt8] { Array(UnsafeBufferPointer(start: embedded.text, count: embedded.size)) }

    /// Decodes the catalog. A missing secret or variable disables only the API that needs it
    /// (`APIDefinition.missingValues`).
    ///
    /// - Throws: `CatalogFaults` if the catalog has errors.
    public func decode(secrets: SecretSource = .empty) throws(CatalogFaults) -> Catalog {
        try CatalogDecoder.decode(text, secrets: secrets, toleratesMissing: true)
    }
}
