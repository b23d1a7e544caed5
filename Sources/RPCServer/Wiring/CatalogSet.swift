import Catalog
import System

/// The catalogs that the options name. Each catalog must be valid on its own.
package struct CatalogSet {
    /// One catalog of the set, with its name and its loader.
    package struct Member {
        /// The prefix of the catalog's resource and API names; nil if the set has only one catalog.
        package let name: String?
        /// A loader for only this catalog.
        package let loader: CatalogLoader
    }

    /// The catalogs in the order of the options. There is at least one catalog.
    package let members: [Member]

    /// Creates the set of the catalogs that the options name.
    ///
    /// - Throws: `StartupError` if a file's name is not a valid catalog name, or if two catalogs have the same name.
    package init(_ loader: CatalogLoader) throws(StartupError) {
        let catalogs = loader.catalogs
        guard catalogs.count > 1 else {
            members = [Member(name: nil, loader: loader)]
            return
        }
        var members: [Member] = []
        for path in catalogs {
            guard let name = Self.name(of: path) else {
                throw Self.error(
                    "the file name of '\(path)' cannot be used as the catalog's name; rename the file: use up to 64"
                        + " letters, digits, '-' and '_', with a letter or digit first; the name 'rpc' is reserved")
            }
            if let index = members.firstIndex(where: { $0.name == name }) {
                throw Self.error(
                    catalogs[index] == path
                        ? "the catalog '\(path)' is named twice; remove one of the options"
                        : "'\(catalogs[index])' and '\(path)' are both named '\(name)'; rename one of the files")
            }
            members.append(Member(name: name, loader: Self.loader(of: path, named: name, loader)))
        }
        self.members = members
    }

    /// Returns the name of a catalog. For a file, the name is the file name without the extensions `.jsonc` and
    /// `.json`. Returns nil for an invalid name. The name `rpc` is invalid, because JSON-RPC reserves methods with this
    /// prefix.
    package static func name(of path: FilePath) -> String? {
        var name = path.description.split(separator: "/").last.map { String($0) } ?? ""
        if let ending = [".jsonc", ".json"].first(where: { name.hasSuffix($0) }) { name.removeLast(ending.count) }
        return CatalogLoader.isName(name) && name != "rpc" ? name : nil
    }

    /// Reads and combines all catalogs. The error contains all faults of all catalogs.
    package func combined(
        _ read: (CatalogLoader) throws(StartupError) -> CatalogLoader.Loaded
    ) throws(StartupError) -> CatalogLoader.Loaded {
        guard members.count > 1 else { return try read(members[0].loader) }
        var parts: [NamedCatalog] = []
        var files: [WatchedFile] = []
        var errors: [StartupError] = []
        for member in members {
            do throws(StartupError) {
                let loaded = try read(member.loader)
                parts.append(NamedCatalog(name: member.name, origin: loaded.origin, catalog: loaded.catalog))
                files += loaded.files.filter { file in !files.contains { $0.path == file.path } }
            } catch {
                errors.append(error)
            }
        }
        if let first = errors.first {
            throw StartupError(exitCode: first.exitCode, lines: errors.flatMap(\.lines))
        }
        return CatalogLoader.Loaded(
            catalog: Catalog(combining: parts), origin: Self.origin(of: parts.map(\.origin)), files: files)
    }

    /// Joins the names or paths of catalogs with commas.
    package static func origin(of origins: [String]) -> String { origins.joined(separator: ", ") }

    /// Returns a loader that loads only the catalog `name`. For this catalog, the variable `NAME.x` of `--var` has
    /// precedence over `x`, which applies to all catalogs.
    private static func loader(of path: FilePath, named name: String, _ loader: CatalogLoader) -> CatalogLoader {
        var options = loader.options
        options.catalogs = [path]
        options.baseURLs = []
        for (variable, value) in loader.options.variables where variable.hasPrefix("\(name).") {
            options.variables[String(variable.dropFirst(name.count + 1))] = value
        }
        return CatalogLoader(options: options, environment: loader.environment)
    }

    private static func error(_ message: String) -> StartupError {
        StartupError(exitCode: ExitCode.usage, lines: ["larder: --catalog: \(message)"])
    }
}
