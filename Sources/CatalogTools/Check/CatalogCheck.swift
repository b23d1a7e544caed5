import Catalog
import JSON
import Model

/// The result of a catalog check, which sends no requests: the faults and the warnings.
public struct CatalogCheck: Sendable {
    /// The faults; nil if there are none. A fault makes the catalog invalid, or makes every request of an operation
    /// fail.
    public let faults: CatalogFaults?
    /// The warnings about valid declarations that are probably mistakes. Empty if the catalog has faults.
    public let warnings: [CatalogFault]
    /// The decoded catalog; nil if the catalog has faults.
    public let catalog: Catalog?

    /// Checks a catalog and the files that it includes.
    ///
    /// - Parameters:
    ///   - bytes: the text of the catalog.
    ///   - secrets: the source of secrets and variables.
    ///   - includes: the source of included files.
    ///   - seesFiles: whether to check that the files in `tls` can be read.
    ///   - movedAPIs: the names of the APIs whose base URL the caller replaces. Missing secrets and variables in their
    ///     base URLs are not faults.
    public init(
        _ bytes: [UInt8], secrets: SecretSource, includes: IncludeSource = .none, seesFiles: Bool = false,
        movedAPIs: Set<String> = []
    ) {
        var (faults, decoded): (CatalogFaults, Catalog?)
        do throws(CatalogFaults) {
            decoded = try CatalogDecoder.decode(
                bytes, secrets: secrets, includes: includes, movedAPIs: movedAPIs)
            faults = CatalogFaults(faults: [], more: 0)
        } catch {
            (faults, decoded) = (error, nil)
        }
        var warnings: [CatalogFault] = []
        let reader = CatalogReader(bytes, secrets: secrets)
        for file in IncludeReader.files(reader, includes) {
            var found = Findings()
            file.document.withRoot { root in
                RequestCheck.check(root, &found)
                guard let decoded else { return }
                CatalogWarnings(decoded, isIncluded: file.number > 0, seesFiles: seesFiles).check(root, &found)
            }
            let (name, text) = reader.files.texts[file.number]
            let own = CatalogFiles(text, named: name)
            // The server still starts with invalid GraphQL, because an API may accept more than the specification.
            faults = faults.merged(with: found.faults.faults(in: own))
            warnings += found.warnings.faults(in: own).faults
        }
        let isFaultless = faults.faults.isEmpty
        self.faults = isFaultless ? nil : faults
        catalog = isFaultless ? decoded : nil
        self.warnings = isFaultless ? warnings : []
    }
}

/// The faults and warnings found by `larder check` so far.
struct Findings {
    var faults = FaultList()
    var warnings = FaultList()
}

extension CatalogFaults {
    /// Merges two lists of faults, and sorts the result by file, line and column. Keeps the first 100 faults and counts
    /// the remaining faults.
    fileprivate func merged(with other: CatalogFaults) -> CatalogFaults {
        let all = (faults + other.faults).sorted {
            ($0.file ?? "", $0.position.line, $0.position.column)
                < ($1.file ?? "", $1.position.line, $1.position.column)
        }
        let kept = Array(all.prefix(FaultList.maxCount))
        return CatalogFaults(faults: kept, more: all.count - kept.count + more + other.more)
    }
}

/// Finds mistakes in the APIs and secrets of a catalog without faults.
private struct CatalogWarnings {
    let catalog: Catalog
    /// Whether the file that is being checked is an included file.
    let isIncluded: Bool
    /// Whether to check that the files in `tls` can be read.
    let seesFiles: Bool
    /// The names of the APIs that at least one resource uses.
    private let used: Set<String>
    private let apis: [String: APIDefinition]
    private let redactor: Redactor

    init(_ catalog: Catalog, isIncluded: Bool, seesFiles: Bool) {
        (self.catalog, self.isIncluded, self.seesFiles) = (catalog, isIncluded, seesFiles)
        used = Set(catalog.resources.map(\.api))
        apis = Dictionary(catalog.apis.map { ($0.name, $0) }) { first, _ in first }
        redactor = Redactor(secrets: catalog.secrets)
    }

    func check(_ root: JSONView, _ found: inout Findings) {
        for origin in isIncluded ? [] : catalog.unredactedOrigins {
            found.warnings.add(
                {
                    "\(origin) is not redacted in output: the value is shorter than 8 characters or a plain number; use"
                        + " a longer value, or one with letters"
                },
                at: root.offset)
        }
        if let apis = root["apis"] { for api in apis.members { check(api: api.key, api.value, &found) } }
    }

    private func check(api key: JSONView, _ api: JSONView, _ found: inout Findings) {
        let name = key.string ?? ""
        if !used.contains(name) {
            found.warnings.add(
                { "the API '\(name)' is used by no resource; remove the API, or name it in 'api' of a resource" },
                at: key.offset)
        }
        for view in [api["baseURL"], api["auth"]?["oauth2"]?["tokenURL"]] {
            guard let view, let url = view.string, !BaseURL.isPrivate(url) else { continue }
            found.warnings.add(
                { "plain http: others on the network can read and change requests and answers; use https" },
                at: view.offset)
        }
        if seesFiles, let declared = apis[name] {
            checkFiles(of: declared.connection, name, tls: api["tls"], &found)
        }
    }

    /// Warns of certificate files that cannot be read. A warning is sufficient, because only requests to the API with
    /// these certificates fail.
    private func checkFiles(
        of connection: ConnectionSettings, _ name: String, tls: JSONView?, _ found: inout Findings
    ) {
        for (key, path) in connection.files {
            guard let view = tls?[key], let fault = ConnectionSettings.fault(ofFile: path) else { continue }
            found.warnings.add(
                {
                    "'\(key)' cannot be read: \(redactor.redact(path)): \(fault); requests to the API '\(name)' will fail"
                }, at: view.offset)
        }
    }
}
