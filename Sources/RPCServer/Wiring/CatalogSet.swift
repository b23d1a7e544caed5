import Catalog
import System

/// The catalogs that the options name. Each catalog is found, read and checked as if it were the only one.
package struct CatalogSet {
    /// One catalog of the set.
    package struct Member {
        /// The prefix of the names of the catalog's resources and APIs; nil if the catalog is the only one.
        package let name: String?
        /// The loader of this catalog alone.
        package let loader: CatalogLoader
    }

    /// The catalogs in the order of the options; at least one.
    package let members: [Member]

    /// - Throws: `StartupError` if a file's name cannot be the name of a catalog, or two catalogs have the same name.
    package init(_ loader: CatalogLoader) throws(StartupError) {
        let catalogs = loader.options.catalogs
        guard catalogs.count > 1 else {
            members = [Member(name: nil, loader: loader)]
            return
        }
        var members: [Member] = []
        for path in catalogs {
            guard let name = Self.name(of: path) else {
                throw Self.error(
                    "'\(path)' cannot be one of several catalogs: the file's name without .jsonc or .json is the "
                        + "catalog's name, and can have up to 64 letters, digits, '-' and '_', the first one a letter or "
                        + "digit; rename the file")
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

    /// Returns the name of a catalog: that of a shipped or added catalog, or of a file without the extensions `.jsonc`
    /// and `.json`. Nil if this is not a valid name. `rpc` is not valid, because JSON-RPC reserves methods with
    /// this prefix.
    package static func name(of path: FilePath) -> String? {
        var name = path.description.split(separator: "/").last.map { String($0) } ?? ""
        if let ending = [".jsonc", ".json"].first(where: { name.hasSuffix($0) }) { name.removeLast(ending.count) }
        return CatalogLoader.isName(name) && name != "rpc" ? name : nil
    }

    /// Reads each catalog and combines them. All faults of all catalogs are reported.
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

    /// Returns the origins of catalogs as one text.
    package static func origin(of origins: [String]) -> String { origins.joined(separator: ", ") }

    /// Returns the loader of one catalog. A variable `NAME.x` has precedence over the variable `x` of all catalogs.
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
