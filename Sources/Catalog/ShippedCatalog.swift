import CCatalogs

/// A catalog that comes with Larder and is found by its name, so that the binary alone is enough to serve its API.
///
/// The target `CCatalogs` embeds the files of `Fixtures/catalogs`. A text is copied only when it is used.
// Safe: the pointers lead to constants of the program.
public struct ShippedCatalog: @unchecked Sendable {
    private let embedded: larder_catalog

    /// The catalog that is used if no other is named: the Rick and Morty API over REST.
    public static var builtIn: ShippedCatalog { ShippedCatalog(embedded: larder_catalog_built_in()) }

    /// All of them, sorted by name.
    public static var all: [ShippedCatalog] {
        (0..<larder_catalog_count()).map { ShippedCatalog(embedded: larder_catalog_at($0)) }
    }

    /// Returns the one of a name; nil if there is none.
    public static func named(_ name: String) -> ShippedCatalog? { all.first { $0.name == name } }

    /// The name of its file, without the ending.
    public var name: String { String(cString: embedded.name) }

    /// The text of its file.
    public var text: [UInt8] { Array(UnsafeBufferPointer(start: embedded.text, count: embedded.size)) }

    /// Decodes the catalog. A missing secret or variable only stops its API, as `CatalogDecoder.decode` says.
    public func decode(secrets: SecretSource = .empty) throws(CatalogFaults) -> Catalog {
        try CatalogDecoder.decode(text, secrets: secrets, toleratesAbsence: true)
    }
}
