import JSON

/// What can be said of a catalog's text without asking any API.
public struct CatalogCheck: Sendable {
    /// Everything for which it is refused; nil where nothing is.
    public let faults: CatalogFaults?
    /// What it may say and its author hardly means.
    public let warnings: [CatalogFault]
    /// What it declares; nil where it is refused.
    public let catalog: Catalog?

    /// Reads a text of JSON with comments, and what it includes, and loads nothing.
    public init(_ bytes: [UInt8], secrets: SecretSource, includes: IncludeSource = .none) {
        do throws(CatalogFaults) {
            let catalog = try CatalogDecoder.decode(bytes, secrets: secrets, includes: includes)
            (self.catalog, faults) = (catalog, nil)
            let reader = CatalogReader(bytes, secrets: secrets)
            warnings = CatalogWarnings.find(in: IncludeReader.files(reader, includes), reader.files, of: catalog)
        } catch {
            (catalog, faults, warnings) = (nil, error, [])
        }
    }
}

/// Finds what a catalog without faults may say and its author hardly means.
private struct CatalogWarnings {
    private let catalog: Catalog
    private var found = FaultList()
    /// The number of the file that is looked at.
    private var file = 0

    static func find(
        in files: [IncludeReader.File], _ texts: CatalogFiles, of catalog: Catalog
    ) -> [CatalogFault] {
        var warnings = CatalogWarnings(catalog: catalog)
        for file in files {
            warnings.file = file.number
            file.document.withRoot { warnings.look(at: $0) }
        }
        return warnings.found.faults(in: texts).faults
    }

    private init(catalog: Catalog) { self.catalog = catalog }

    private mutating func warn(_ message: () -> String, at view: JSONView) {
        found.add(message, at: CatalogFiles.number(ofOffset: view.offset, inFile: file))
    }

    private mutating func look(at root: JSONView) {
        for origin in file == 0 ? catalog.unsearched : [] {
            warn(
                { "\(origin) is too short, or a plain number: it is used, and not looked for in texts to hide it" },
                at: root)
        }
        if let apis = root["apis"] { for api in apis.members { look(atAPI: api.key, api.value) } }
        if let resources = root["resources"] { for resource in resources.members { look(atResource: resource.value) } }
    }

    private mutating func look(atAPI key: JSONView, _ api: JSONView) {
        let name = key.string ?? ""
        if !catalog.resources.contains(where: { $0.api == name }) {
            warn({ "the API '\(name)' is used by no resource" }, at: key)
        }
        for view in [api["baseURL"], api["auth"]?["oauth2"]?["tokenURL"]] {
            guard let view, let url = view.string, !BaseURL.isPrivate(url) else { continue }
            warn(
                { "plain http: what is sent and answered can be read, and changed, on its way; write https" }, at: view)
        }
    }

    private mutating func look(atResource resource: JSONView) {
        guard let view = resource["rest"]?["get"]?["path"], let path = view.string else { return }
        if path.firstRange(of: "{id}") == nil, path.firstRange(of: "{+id}") == nil {
            warn({ "'path' has no '{id}': every id gets the same answer" }, at: view)
        }
    }
}
