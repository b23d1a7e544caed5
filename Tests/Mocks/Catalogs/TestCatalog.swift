import Catalog

/// Resources of two small catalogs.
package enum TestCatalog {
    package struct Missing: Error {
        let name: String
    }

    /// Returns a resource of the built-in catalog, or `book`, whose ids are strings and whose list has no filters.
    ///
    /// - Throws: `Missing` if there is no resource with this name.
    package static func resource(_ name: String) throws -> ResourceDefinition {
        let catalog =
            name == "book"
            ? try CatalogDecoder.decode(Array(books.utf8), secrets: .empty) : try ShippedCatalog.builtIn.decode()
        guard let resource = catalog.resources.first(where: { $0.name == name }) else { throw Missing(name: name) }
        return resource
    }

    package static let books = """
        {
          "larder": 1,
          "apis": {"library": {"baseURL": "http://127.0.0.1:1"}},
          "resources": {
            "book": {
              "api": "library", "id": "string", "fields": {"id": "string", "title": "string"},
              "rest": {"get": {"path": "/books/{id}"}, "list": {"path": "/books"}}
            }
          }
        }
        """
}
