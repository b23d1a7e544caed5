import Catalog
import RPCServer
import System

/// Checks the setting `columns`. The catalogs must declare the resources and fields that it names.
enum ColumnCheck {
    /// Checks the columns of one resource, and reports each fault. Reports no faults if the catalog cannot be read.
    ///
    /// - Parameters:
    ///   - key: the resource as `CATALOG/RESOURCE`, or as `RESOURCE` for the default catalog.
    ///   - options: the default options from the settings.
    ///   - fault: called for each fault with the index of the column and a message. The index is nil for a fault in
    ///     `key`.
    @_optimize(size)
    static func check(
        _ key: String, _ fields: [String], _ options: CommandOptions, _ environment: Environment,
        _ fault: (Int?, String) -> Void
    ) {
        var options = options
        var name = key
        options.process.catalogs = options.process.defaultCatalogs
        if let slash = key.lastIndex(of: "/") {
            let catalog = String(key[..<slash])
            name = String(key[key.index(after: slash)...])
            let known = ResourceReference.catalogs(environment)
            let own = options.catalogs.first { $0.description == catalog || CatalogSet.name(of: $0) == catalog }
            guard own != nil || !CatalogLoader.isName(catalog) || known.contains(catalog) else {
                fault(nil, "there is no catalog '\(catalog)'\(hint(catalog, known, "see larder catalogs"))")
                return
            }
            options.process.catalogs = [own ?? FilePath(catalog)]
        }
        guard let resources = try? CatalogSource.all(nil, options, environment).catalog.resources else { return }
        guard let resource = resources.first(where: { $0.name == name }) else {
            let advice = "name a resource of another catalog as CATALOG/RESOURCE"
            let near = hint(name, resources.map(\.name), advice, prefix: key.dropLast(name.count))
            fault(nil, "there is no resource '\(key)'\(near)")
            return
        }
        guard let names = resource.fields.map({ FieldNames(fields: $0) }) else { return }
        for (index, field) in fields.enumerated() where !names.areShown(by: field) {
            fault(index, "'\(key)' has no field '\(field)'\(hint(field, names.all, "see larder help \(key)"))")
        }
    }

    private static func hint(
        _ word: String, _ known: [String], _ advice: String, prefix: Substring = ""
    ) -> String {
        "; " + (Suggestion.nearest(to: word, in: known).map { "did you mean '\(prefix)\($0)'?" } ?? advice)
    }
}
