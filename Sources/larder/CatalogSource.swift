import Catalog
import DataSources
import RPCServer
import System

/// A decoded catalog and the place that it was read from, for commands that make no requests.
struct CatalogSource {
    let bytes: [UInt8]
    let origin: String
    let catalog: Catalog
    let secrets: SecretSource
    let includes: IncludeSource

    /// Reads the named catalog; if none is named, the catalog that larder would serve. Missing secrets and variables
    /// are not faults, because no API is called.
    ///
    /// - Throws: `StartupError` if the catalog cannot be read or has faults.
    init(_ name: String?, _ options: CommandOptions, _ environment: Environment) throws(StartupError) {
        let loader = CatalogLoader(options: options.process, environment: environment)
        let path = name.map { FilePath($0) }
        (bytes, origin) = try loader.text(of: path)
        secrets = environment.secrets(variables: options.variables)
        includes = loader.includes(of: path)
        do throws(CatalogFaults) {
            catalog = try CatalogDecoder.decode(bytes, secrets: secrets, includes: includes, toleratesMissing: true)
        } catch {
            throw StartupError(exitCode: ExitCode.config, lines: error.lines(file: origin))
        }
    }
}
