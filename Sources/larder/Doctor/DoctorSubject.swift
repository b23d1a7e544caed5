import Catalog
import CatalogTools
import DataSources
import Model
import RPCServer
import System

/// The input of the `larder doctor` checks: a server process with the given options, and the faults in the options and
/// catalogs.
struct DoctorSubject: Sendable {
    let process: Process
    let catalog: DoctorCatalog
    /// The APIs of the catalog with the base URLs in use; empty if the catalog cannot be read.
    let apis: [APIDefinition]
    /// The fault in the options of the shared cache level; nil if the options are valid. If there is a fault, the other
    /// checks ignore these options.
    let sharedFault: String?
    /// The name of the option or environment variable with the Redis URL, if this URL contains a password. Otherwise
    /// nil.
    let sharedPasswordOrigin: String?

    /// The reason why the checks make no network requests; nil if requests are allowed.
    var noNetwork: String? {
        if process.options.isOffline { return "not used (--offline)" }
        return process.options.replay.map { "not used (--replay \($0))" }
    }

    /// The redactor that replaces secrets in messages.
    var redactor: Redactor {
        Redactor(secrets: process.serving.current.secrets, learned: process.remotes.tokens.learned)
    }
}

/// The catalogs that the server would use, with their faults and warnings.
struct DoctorCatalog: Sendable {
    /// The paths of the catalogs, or the names of shipped catalogs, separated by commas.
    let origin: String
    /// The catalog that combines all given catalogs. Nil if a catalog has faults.
    let catalog: Catalog?
    /// The faults in the catalogs, one line for each fault.
    let faults: [String]
    /// The warnings about the catalogs, one line for each warning.
    let warnings: [String]

    /// Reads the catalog in the same way as `larder check`. A missing secret is not a fault, because APIs that do not
    /// need this secret still work.
    static func read(_ loader: CatalogLoader) -> DoctorCatalog {
        let set: CatalogSet
        do throws(StartupError) {
            set = try CatalogSet(loader)
        } catch {
            return DoctorCatalog(origin: "the catalog", catalog: nil, faults: error.messages, warnings: [])
        }
        let found = set.members.map { (name: $0.name, read: readOne($0.loader)) }
        let parts = found.compactMap { name, read in
            read.catalog.map { NamedCatalog(name: name, origin: read.origin, catalog: $0) }
        }
        return DoctorCatalog(
            origin: CatalogSet.origin(of: found.map(\.read.origin)),
            catalog: parts.count == found.count ? Catalog(combining: parts) : nil,
            faults: found.flatMap(\.read.faults), warnings: found.flatMap(\.read.warnings))
    }

    private static func readOne(_ loader: CatalogLoader) -> DoctorCatalog {
        let (bytes, origin): ([UInt8], String)
        do throws(StartupError) {
            (bytes, origin) = try loader.text()
        } catch {
            return DoctorCatalog(origin: "the catalog", catalog: nil, faults: error.messages, warnings: [])
        }
        let secrets = loader.environment.secrets(variables: loader.options.variables)
        let includes = loader.includes(of: nil)
        let catalog: Catalog
        do throws(CatalogFaults) {
            if loader.place == nil {
                catalog = try ShippedCatalog.builtIn.decode()
            } else {
                catalog = try CatalogDecoder.decode(
                    bytes, secrets: secrets, includes: includes, toleratesMissing: true)
            }
        } catch {
            return DoctorCatalog(origin: origin, catalog: nil, faults: error.lines(file: origin), warnings: [])
        }
        let check = CatalogCheck(bytes, secrets: secrets, includes: includes, seesFiles: true)
        let missingValues = catalog.apis.flatMap(\.missingValues)
        let faults = (check.faults?.faults ?? []).filter { !missingValues.contains($0) }
        return DoctorCatalog(
            origin: origin, catalog: catalog, faults: faults.map { $0.description(file: origin) },
            warnings: check.warnings.map { $0.description(file: origin) })
    }
}

extension StartupError {
    /// The lines of the error without the prefix `larder: `. The prefix belongs only to messages on stderr.
    var messages: [String] {
        let name = "larder: "
        return lines.map { $0.hasPrefix(name) ? String($0.dropFirst(name.count)) : $0 }
    }
}
