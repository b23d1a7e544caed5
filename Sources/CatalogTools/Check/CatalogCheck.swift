import Catalog
import JSON
import Model

/// What can be said of a catalog's text without asking any API.
public struct CatalogCheck: Sendable {
    /// Everything for which it is refused, or a request would surely fail; nil where nothing is.
    public let faults: CatalogFaults?
    /// What it may say and its author hardly means.
    public let warnings: [CatalogFault]
    /// What it declares; nil where it has faults.
    public let catalog: Catalog?

    /// Reads a text of JSON with comments, and what it includes, and loads nothing.
    ///
    /// - Parameter seesFiles: whether to look if the files of `tls` are there.
    public init(
        _ bytes: [UInt8], secrets: SecretSource, includes: IncludeSource = .none, seesFiles: Bool = false
    ) {
        var (faults, decoded): (CatalogFaults, Catalog?)
        do throws(CatalogFaults) {
            decoded = try CatalogDecoder.decode(bytes, secrets: secrets, includes: includes)
            faults = CatalogFaults(faults: [], more: 0)
        } catch {
            (faults, decoded) = (error, nil)
        }
        var warnings: [CatalogFault] = []
        let reader = CatalogReader(bytes, secrets: secrets)
        for file in IncludeReader.files(reader, includes) {
            var found = Findings()
            file.document.withRoot { root in
                RequestCheck.look(at: root, &found)
                guard let decoded else { return }
                CatalogWarnings(decoded, isIncluded: file.number > 0, seesFiles: seesFiles).look(at: root, &found)
            }
            let (name, text) = reader.files.texts[file.number]
            let own = CatalogFiles(text, named: name)
            // A document that is no GraphQL does not stop the process: an API may take more than the specification has.
            faults = faults.merged(with: found.faults.faults(in: own))
            warnings += found.warnings.faults(in: own).faults
        }
        let isFaultless = faults.faults.isEmpty
        self.faults = isFaultless ? nil : faults
        catalog = isFaultless ? decoded : nil
        self.warnings = isFaultless ? warnings : []
    }
}

/// What is found while a catalog is looked at.
struct Findings {
    var faults = FaultList()
    var warnings = FaultList()
}

extension CatalogFaults {
    /// Those of both in the order of the text, as many as are kept of one.
    fileprivate func merged(with other: CatalogFaults) -> CatalogFaults {
        let all = (faults + other.faults).sorted {
            ($0.file ?? "", $0.position.line, $0.position.column)
                < ($1.file ?? "", $1.position.line, $1.position.column)
        }
        let kept = Array(all.prefix(FaultList.most))
        return CatalogFaults(faults: kept, more: all.count - kept.count + more + other.more)
    }
}

/// Finds what a catalog without faults says of secrets and APIs, and its author hardly means.
private struct CatalogWarnings {
    let catalog: Catalog
    /// Whether it is a file that the catalog includes.
    let isIncluded: Bool
    /// Whether to look if the files of `tls` are there.
    let seesFiles: Bool
    /// The names of the APIs that resources use.
    private let used: Set<String>
    private let apis: [String: APIDefinition]
    private let redactor: Redactor

    init(_ catalog: Catalog, isIncluded: Bool, seesFiles: Bool) {
        (self.catalog, self.isIncluded, self.seesFiles) = (catalog, isIncluded, seesFiles)
        used = Set(catalog.resources.map(\.api))
        apis = Dictionary(catalog.apis.map { ($0.name, $0) }) { first, _ in first }
        redactor = Redactor(secrets: catalog.secrets)
    }

    func look(at root: JSONView, _ found: inout Findings) {
        for origin in isIncluded ? [] : catalog.unsearched {
            found.warnings.add(
                { "\(origin) is too short, or a plain number: it is used, and not looked for in texts to hide it" },
                at: root.offset)
        }
        if let apis = root["apis"] { for api in apis.members { look(atAPI: api.key, api.value, &found) } }
    }

    private func look(atAPI key: JSONView, _ api: JSONView, _ found: inout Findings) {
        let name = key.string ?? ""
        if !used.contains(name) {
            found.warnings.add({ "the API '\(name)' is used by no resource" }, at: key.offset)
        }
        for view in [api["baseURL"], api["auth"]?["oauth2"]?["tokenURL"]] {
            guard let view, let url = view.string, !BaseURL.isPrivate(url) else { continue }
            found.warnings.add(
                { "plain http: what is sent and answered can be read, and changed, on its way; write https" },
                at: view.offset)
        }
        if seesFiles, let declared = apis[name] {
            look(atFilesOf: declared.connection, name, tls: api["tls"], &found)
        }
    }

    /// The process starts without them, as it does without a secret.
    private func look(
        atFilesOf connection: ConnectionSettings, _ name: String, tls: JSONView?, _ found: inout Findings
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
