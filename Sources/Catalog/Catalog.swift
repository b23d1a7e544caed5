import Model

/// What Larder serves: the APIs and their resources, as a catalog file declares them.
public struct Catalog: Equatable, Sendable {
    /// The APIs in the order of the file.
    public private(set) var apis: [APIDefinition]
    /// The resources in the order of the file.
    public private(set) var resources: [ResourceDefinition]
    /// Every text that must never be seen: values of `auth`, and what stands for `${env:NAME}` and `${file:PATH}`.
    public let secrets: [String]
    /// Where those secrets come from that are not looked for in texts (`Redactor.looksFor`): `the environment variable
    /// 'KEY'`.
    public let unsearched: [String]
    /// The header fields of answers that pages and rules read, in lower case.
    public let answerHeaders: Set<String>
    /// The names in its `${var:NAME}`.
    public let variables: Set<String>

    /// Looks whether it has all variables that somebody gave values to.
    ///
    /// - Throws: `CatalogOverrideError` for the first name that it has not.
    public func checkVariables(_ names: [String]) throws(CatalogOverrideError) {
        guard let name = names.sorted().first(where: { !variables.contains($0) }) else { return }
        let known = variables.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw CatalogOverrideError(
            message: "the catalog has no variable '\(name)'" + (known.isEmpty ? "" : ", only \(known)"))
    }

    /// The same catalog with APIs reached elsewhere: API name to base URL.
    ///
    /// - Throws: `CatalogOverrideError` for a name that no API has and for a URL that is none.
    public func reached(at overrides: [(api: String, url: String)]) throws(CatalogOverrideError) -> Catalog {
        var catalog = self
        for override in overrides {
            guard let index = apis.firstIndex(where: { $0.name == override.api }) else {
                let known = apis.map { "'\($0.name)'" }.joined(separator: ", ")
                // A password with a '=' makes a name of what stands before that.
                let name = Userinfo.hide(in: "\(override.api)=\(override.url)").prefix { $0 != "=" }
                throw CatalogOverrideError(message: "the catalog has no API '\(name)', only \(known)")
            }
            switch BaseURL.check(override.url) {
            case .success(let url): catalog.apis[index].reachedAt = url
            case .failure(let fault):
                throw CatalogOverrideError(message: "'\(Userinfo.hide(in: override.url))' \(fault.message)")
            }
        }
        return catalog
    }

    /// The API of a resource.
    public func api(of resource: ResourceDefinition) -> APIDefinition? {
        apis.first { $0.name == resource.api }
    }
}

/// Why a base URL cannot be put in the place of a catalog's.
public struct CatalogOverrideError: Error, Equatable, Sendable {
    /// What is wrong with it.
    public let message: String
}
