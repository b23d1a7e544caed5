import Model

/// The APIs and resources that a catalog declares.
public struct Catalog: Equatable, Sendable {
    /// The APIs, in the order in which the catalog file declares them.
    public private(set) var apis: [APIDefinition]
    /// The resources, in the order in which the catalog file declares them.
    public private(set) var resources: [ResourceDefinition]
    /// All secret strings of the catalog: the values in `auth`, and the values of `${env:NAME}` and `${file:PATH}`.
    public let secrets: [String]
    /// Descriptions of the secrets that the redactor does not search for, because they are short strings or plain
    /// numbers (`Redactor.isSearchable`). An example of a description is `the environment variable 'KEY'`.
    public let unredactedOrigins: [String]
    /// The names, in lower case, of the response header fields that the catalog uses: for pagination, wait times and
    /// error rules.
    public let answerHeaders: Set<String>
    /// The names of the variables that the catalog uses as `${var:NAME}`.
    public let variables: Set<String>
    /// For each API name, the secrets of the catalog that declares the API. Empty unless several catalogs are combined.
    var secretsByAPI: [String: [String]] = [:]

    /// Checks that the catalog uses each of the given variables (`${var:NAME}`).
    ///
    /// - Throws: `CatalogOverrideError` for the first name that is not a variable of the catalog.
    public func checkVariables(_ names: [String]) throws(CatalogOverrideError) {
        guard let name = names.sorted().first(where: { !variables.contains($0) }) else { return }
        let known = variables.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw CatalogOverrideError(
            message: "the catalog has no variable '\(name)'; "
                + (known.isEmpty ? "remove --var" : "use one of \(known)"))
    }

    /// Returns a copy of the catalog with the base URLs that the option `--base-url` sets.
    ///
    /// - Parameter overrides: pairs of an API's name and its new base URL.
    /// - Throws: `CatalogOverrideError` for an unknown API and for an invalid base URL.
    public func reached(at overrides: [(api: String, url: String)]) throws(CatalogOverrideError) -> Catalog {
        var catalog = self
        for override in overrides {
            guard let index = apis.firstIndex(where: { $0.name == override.api }) else {
                let known = apis.map { "'\($0.name)'" }.joined(separator: ", ")
                // If a URL is given without a name, the first '=' can be in its password; `api` then contains part of
                // the password.
                let name = Userinfo.hide(in: "\(override.api)=\(override.url)").prefix { $0 != "=" }
                throw CatalogOverrideError(message: "the catalog has no API '\(name)'; use one of \(known)")
            }
            switch BaseURL.check(override.url) {
            case .success(let url): catalog.apis[index].override(baseURL: url)
            case .failure(let fault):
                throw CatalogOverrideError(message: "'\(Userinfo.hide(in: override.url))': \(fault.message)")
            }
        }
        return catalog
    }

    /// Returns the secrets of the catalog that declares the given API. If several catalogs are combined, leaves out the
    /// secrets of the other catalogs.
    public func secrets(of api: APIDefinition) -> [String] { secretsByAPI[api.name] ?? secrets }

    /// Returns the API that a resource belongs to; nil if the catalog does not declare this API.
    public func api(of resource: ResourceDefinition) -> APIDefinition? {
        apis.first { $0.name == resource.api }
    }
}

/// An error in a `--base-url` or `--var` option.
public struct CatalogOverrideError: Error, Equatable, Sendable {
    public let message: String
}
