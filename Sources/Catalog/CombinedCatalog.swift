import JSON

/// One of several catalogs that Larder serves together.
public struct NamedCatalog: Sendable {
    /// The prefix for the names of the catalog's APIs and resources; nil if there is none.
    public let name: String?
    /// The path of the catalog, or the name of a shipped catalog.
    public let origin: String
    public let catalog: Catalog

    /// Creates a catalog that can be combined with other catalogs.
    ///
    /// - Parameters:
    ///   - name: the prefix for the names of the catalog's APIs and resources; nil if there is none.
    ///   - origin: the path of the catalog, or the name of a shipped catalog, for error messages.
    public init(name: String?, origin: String, catalog: Catalog) {
        self.name = name
        self.origin = origin
        self.catalog = catalog
    }
}

extension Catalog {
    /// Combines several catalogs into one. Prefixes the names of APIs and resources with the names of their catalogs,
    /// such as `github.issue`. Names and cache keys from different catalogs therefore never collide. A single catalog
    /// stays unchanged.
    ///
    /// The property `variables` contains each variable name with and without the prefix, because `--var` accepts both.
    public init(combining parts: [NamedCatalog]) {
        if parts.count == 1 {
            self = parts[0].catalog
            return
        }
        var (apis, resources): ([APIDefinition], [ResourceDefinition]) = ([], [])
        var variables: Set<String> = []
        for part in parts {
            let prefix = part.name.map { $0 + "." } ?? ""
            apis += part.catalog.apis.map { $0.prefixed(by: prefix, in: part.origin) }
            resources += part.catalog.resources.map { resource in
                var resource = resource
                resource.name = prefix + resource.name
                resource.api = prefix + resource.api
                return resource
            }
            variables.formUnion(part.catalog.variables)
            variables.formUnion(part.catalog.variables.map { prefix + $0 })
        }
        let catalogs = parts.map(\.catalog)
        let owners = parts.flatMap { part in part.catalog.apis.map { _ in part.catalog.secrets } }
        self.init(
            apis: apis, resources: resources, secrets: catalogs.flatMap(\.secrets).withoutRepetitions,
            unredactedOrigins: catalogs.flatMap(\.unredactedOrigins).withoutRepetitions,
            answerHeaders: catalogs.reduce(into: []) { $0.formUnion($1.answerHeaders) }, variables: variables,
            secretsByAPI: Dictionary(zip(apis.map(\.name), owners)) { first, _ in first })
    }
}

extension APIDefinition {
    /// Returns a copy of the API with `prefix` before its name. Also adds the file name `origin` to all locations
    /// without a file name. These locations are in the main catalog file, and a combined catalog has several main
    /// files.
    fileprivate func prefixed(by prefix: String, in origin: String) -> APIDefinition {
        var api = self
        api.name = prefix + name
        api.authPlace?.file = authPlace?.file ?? origin
        api.incompleteURLPlace?.file = incompleteURLPlace?.file ?? origin
        for index in missingValues.indices {
            api.missingValues[index].file = missingValues[index].file ?? origin
        }
        return api
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}
