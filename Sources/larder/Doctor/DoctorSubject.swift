import Catalog
import CatalogTools
import DataSources
import Model
import RPCServer
import System

/// The subject of `larder doctor`: a process with the given options, and the faults found before it was wired.
struct DoctorSubject: Sendable {
    let process: Process
    let catalog: DoctorCatalog
    /// The APIs with their effective base URLs; empty if the catalog cannot be read.
    let apis: [APIDefinition]
    /// The fault of the shared level's options, which are then ignored; nil if they are valid.
    let sharedFault: String?
    /// The option or variable whose URL holds the password of the shared level; nil if none does.
    let sharedPasswordOrigin: String?

    /// The reason why the checks make no requests; nil if they may.
    var noNetwork: String? {
        if process.options.isOffline { return "not used (--offline)" }
        return process.options.replay.map { "not used (--replay \($0))" }
    }

    /// Replaces secrets in messages.
    var redactor: Redactor {
        Redactor(secrets: process.serving.current.secrets, learned: process.remotes.tokens.learned)
    }
}

/// The catalog that larder would serve, with its faults.
struct DoctorCatalog: Sendable {
    /// The path of the file, or the name of a shipped catalog.
    let origin: String
    /// The decoded catalog; nil if it has faults.
    let catalog: Catalog?
    /// One line per fault.
    let faults: [String]
    /// One line per warning.
    let warnings: [String]

    /// Reads the catalog as `larder check` does. A missing secret is not a fault: it only disables one API.
    static func read(_ loader: CatalogLoader) -> DoctorCatalog {
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
    /// The lines without the prefix `larder: `, which is for stderr only.
    var messages: [String] {
        let name = "larder: "
        return lines.map { $0.hasPrefix(name) ? String($0.dropFirst(name.count)) : $0 }
    }
}
