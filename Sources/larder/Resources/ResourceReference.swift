import Catalog
import RPCServer
import System

/// A resource on the command line: `issue`, or `github/issue` with the name of the catalog.
struct ResourceReference {
    /// The name of the resource in the catalogs that `options` select.
    let resource: String
    /// The part of the argument before the name in `resource`, such as `github/`. Empty if the argument has no slash.
    /// Also empty if `resource` contains the name of the catalog, as in `github.issue`.
    let prefix: String
    /// The options of the command line. If the name of the resource contains a catalog, the options also select this
    /// catalog.
    let options: CommandOptions

    /// Finds the catalog that an argument such as `github/issue` names. If `--catalog` names several catalogs,
    /// `resource` starts with the catalog's name, as in `github.issue`.
    ///
    /// - Throws: `UsageError` if no shipped or added catalog has this name, or if `--catalog` names another catalog.
    init(_ word: String, _ options: CommandOptions, _ environment: Environment) throws(UsageError) {
        guard let slash = word.firstIndex(of: "/") else {
            (resource, prefix, self.options) = (word, "", options)
            return
        }
        let (catalog, name) = (String(word[..<slash]), String(word[word.index(after: slash)...]))
        var options = options
        switch options.catalogs.count {
        case 0:
            let known = Self.catalogs(environment)
            guard known.contains(catalog) else {
                let hint = Suggestion.nearest(to: catalog, in: known).map { "did you mean '\($0)'?" }
                throw UsageError(
                    message: "there is no catalog '\(catalog)' for '\(word)'; \(hint ?? "see larder catalogs")")
            }
            options.process.catalog = FilePath(catalog)
            (resource, prefix) = (name, "\(catalog)/")
        case 1:
            guard options.catalog.flatMap({ CatalogSet.name(of: $0) }) == catalog else {
                throw UsageError(
                    message: "'\(word)' is in the catalog '\(catalog)', but --catalog names another catalog; remove "
                        + "this option, or also pass --catalog \(catalog)")
            }
            (resource, prefix) = (name, "\(catalog)/")
        default: (resource, prefix) = ("\(catalog).\(name)", "")
        }
        self.options = options
    }

    /// Returns the error message for an argument that names neither a help topic nor a resource.
    ///
    /// - Parameter resources: the names of the catalog's resources.
    func unknownSubject(known resources: [String]) -> String {
        // An argument with a catalog cannot be a topic.
        let known = (prefix.isEmpty ? HelpTopic.names : []) + resources
        let near = Suggestion.nearest(to: resource, in: known).map { "did you mean '\(prefix)\($0)'?" }
        let hint = near ?? "see larder --help and \(CommandHint.line("resources", options.catalogs))"
        return "unknown topic or resource '\(prefix)\(resource)'; \(hint)"
    }

    /// Returns the names of the user's own catalogs and of the shipped catalogs.
    static func catalogs(_ environment: Environment) -> [String] {
        ((try? UserCatalogs(environment))?.names ?? []) + ShippedCatalog.all.map(\.name)
    }
}
