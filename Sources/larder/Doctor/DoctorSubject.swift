import Catalog
import CatalogTools
import DataSources
import Model
import RPCServer
import System

/// The subject of `larder doctor`: a process with the given options, and the faults found before it was wired.
struct DoctorSubject: Sendable {
    let process: Process
    /// What was found of the catalog.
    let catalog: DoctorCatalog
    /// The APIs, as they are reached; none where the catalog cannot be read.
    let apis: [APIDefinition]
    /// The fault of the shared level's options, which are then ignored; nil if they are valid.
    let sharedFault: String?
    /// The option or variable whose URL holds the password of the shared level; nil if none does.
    let sharedPasswordOrigin: String?

    /// Why no API is asked; nil where they may be.
    var noNetwork: String? {
        if process.options.isOffline { return "not used (--offline)" }
        return process.options.replay.map { "not used (--replay \($0))" }
    }

    /// Takes secrets out of what is told.
    var redactor: Redactor {
        Redactor(secrets: process.serving.current.secrets, learned: process.remotes.tokens.learned)
    }
}

/// The catalog that would be served, as far as it can be.
struct DoctorCatalog: Sendable {
    /// Its file, or its name.
    let origin: String
    /// nil where it cannot be read.
    let catalog: Catalog?
    /// A line for each fault.
    let faults: [String]
    /// A line for each thing that its author hardly means.
    let warnings: [String]

    /// Reads it, as `larder check` does. A secret that is missing is no fault: only its API is not asked then.
    static func read(_ loader: CatalogLoader) -> DoctorCatalog {
        let (bytes, origin): ([UInt8], String)
        do throws(StartupError) {
            (bytes, origin) = try loader.text()
        } catch {
            return DoctorCatalog(origin: "the catalog", catalog: nil, faults: error.told, warnings: [])
        }
        let secrets = loader.environment.secrets(variables: loader.options.variables)
        let includes = loader.includes(of: nil)
        let catalog: Catalog
        do throws(CatalogFaults) {
            if loader.place == nil {
                catalog = try ShippedCatalog.builtIn.decode()
            } else {
                catalog = try CatalogDecoder.decode(
                    bytes, secrets: secrets, includes: includes, toleratesAbsence: true)
            }
        } catch {
            return DoctorCatalog(origin: origin, catalog: nil, faults: error.lines(file: origin), warnings: [])
        }
        let check = CatalogCheck(bytes, secrets: secrets, includes: includes, seesFiles: true)
        let absences = catalog.apis.flatMap(\.absences)
        let faults = (check.faults?.faults ?? []).filter { !absences.contains($0) }
        return DoctorCatalog(
            origin: origin, catalog: catalog, faults: faults.map { $0.description(file: origin) },
            warnings: check.warnings.map { $0.description(file: origin) })
    }
}

extension StartupError {
    /// Its lines without the program's name, which begins what stands on stderr.
    var told: [String] {
        let name = "larder: "
        return lines.map { $0.hasPrefix(name) ? String($0.dropFirst(name.count)) : $0 }
    }
}
