import JSON

/// What can be said of a catalog's text without asking any API.
public struct CatalogCheck: Sendable {
    /// Everything for which it is refused; nil where nothing is.
    public let faults: CatalogFaults?
    /// What it may say and its author hardly means.
    public let warnings: [CatalogFault]
    /// What it declares; nil where it is refused.
    public let catalog: Catalog?

    /// Reads a text of JSON with comments, and loads nothing.
    public init(_ bytes: [UInt8], secrets: SecretSource) {
        do throws(CatalogFaults) {
            let catalog = try CatalogDecoder.decode(bytes, secrets: secrets)
            (self.catalog, faults) = (catalog, nil)
            warnings = CatalogWarnings.find(in: bytes, of: catalog)
        } catch {
            (catalog, faults, warnings) = (nil, error, [])
        }
    }
}

/// Finds what a catalog without faults may say and its author hardly means.
private struct CatalogWarnings {
    private let catalog: Catalog
    private var found = FaultList()

    static func find(in bytes: [UInt8], of catalog: Catalog) -> [CatalogFault] {
        guard let document = try? JSONDocument(passingMark: bytes, as: .jsonc) else { return [] }
        return document.withRoot { root in
            var warnings = CatalogWarnings(catalog: catalog)
            warnings.look(at: root)
            return warnings.found.faults(in: bytes).faults
        }
    }

    private init(catalog: Catalog) { self.catalog = catalog }

    private mutating func look(at root: JSONView) {
        for origin in catalog.unsearched {
            found.add(
                { "\(origin) is too short, or a plain number: it is used, and not looked for in texts to hide it" },
                at: root.offset)
        }
        if let apis = root["apis"] { for api in apis.members { look(atAPI: api.key, api.value) } }
        if let resources = root["resources"] { for resource in resources.members { look(atResource: resource.value) } }
    }

    private mutating func look(atAPI key: JSONView, _ api: JSONView) {
        let name = key.string ?? ""
        if !catalog.resources.contains(where: { $0.api == name }) {
            found.add({ "the API '\(name)' is used by no resource" }, at: key.offset)
        }
        if let view = api["baseURL"], let url = view.string, !BaseURL.isPrivate(url) {
            found.add(
                { "plain http: what is sent and answered can be read, and changed, on its way; write https" },
                at: view.offset)
        }
    }

    private mutating func look(atResource resource: JSONView) {
        guard let view = resource["rest"]?["get"]?["path"], let path = view.string else { return }
        if path.firstRange(of: "{id}") == nil, path.firstRange(of: "{+id}") == nil {
            found.add({ "'path' has no '{id}': every id gets the same answer" }, at: view.offset)
        }
    }
}
