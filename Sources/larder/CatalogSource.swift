import Catalog
import DataSources
import RPCServer
import System

/// A decoded catalog with its text and the sources of its secrets and included files. Used by commands that make no
/// requests.
struct CatalogSource {
    /// The prefix of the catalog's resource names; nil if there is only one catalog.
    let name: String?
    let bytes: [UInt8]
    let origin: String
    let catalog: Catalog
    let secrets: SecretSource
    let includes: IncludeSource

    /// Reads the catalog with the given name. Missing secrets and variables are not faults, because no API is called.
    ///
    /// - Throws: `StartupError` if the catalog cannot be read or has faults.
    init(_ name: String, _ options: CommandOptions, _ environment: Environment) throws(StartupError) {
        let loader = CatalogLoader(options: options.process, environment: environment)
        try self.init(FilePath(name), nil, loader)
    }

    /// Reads the catalog with the given name. Without a name, reads the catalogs that the server would use.
    ///
    /// - Throws: `StartupError` if a catalog cannot be read or has faults.
    static func all(
        _ name: String?, _ options: CommandOptions, _ environment: Environment
    ) throws(StartupError) -> [CatalogSource] {
        if let name { return [try CatalogSource(name, options, environment)] }
        var sources: [CatalogSource] = []
        for member in try CatalogSet(CatalogLoader(options: options.process, environment: environment)).members {
            sources.append(try CatalogSource(nil, member.name, member.loader))
        }
        return sources
    }

    private init(_ path: FilePath?, _ name: String?, _ loader: CatalogLoader) throws(StartupError) {
        self.name = name
        (bytes, origin) = try loader.text(of: path)
        secrets = loader.environment.secrets(variables: loader.options.variables)
        includes = loader.includes(of: path)
        do throws(CatalogFaults) {
            catalog = try CatalogDecoder.decode(bytes, secrets: secrets, includes: includes, toleratesMissing: true)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: origin))
        }
    }
}

extension [CatalogSource] {
    /// The catalog that combines all catalogs of the array.
    var catalog: Catalog {
        Catalog(combining: map { NamedCatalog(name: $0.name, origin: $0.origin, catalog: $0.catalog) })
    }

    /// The names or paths of all catalogs, separated by commas.
    var origin: String { CatalogSet.origin(of: map(\.origin)) }
}
