import Catalog
import DataSources
import System

/// The paths of the catalog, the cache file and the file of recent searches.
package struct Places {
    /// The path of a file, and the checks that the file must pass.
    package struct Place: Equatable {
        package let path: FilePath
        let trust: FileTrust
    }

    /// A feature for which Larder cannot determine a file path, with the reason.
    package struct Fault: Equatable {
        package let part: String
        package let reason: String
    }

    /// The path of the catalog. Nil if the user has named no catalog and there is no home folder.
    let catalog: Place?
    /// The path of the cache file; nil if the cache is only in memory.
    package let cache: Place?
    /// The path of the file of recent searches; nil if the recent searches are only in memory.
    let recents: Place?
    /// The features that have no file path because there is no home folder.
    package let faults: [Fault]

    package init(_ options: Options, _ environment: Environment) {
        var faults: [Fault] = []
        func place(
            _ named: FilePath?, _ standard: FilePath?, _ part: String, _ trust: FileTrust, _ missing: String
        ) -> Place? {
            if let named { return Place(path: named, trust: .named) }
            if let standard { return Place(path: standard, trust: trust) }
            faults.append(Fault(part: part, reason: "there is no home folder: \(missing)"))
            return nil
        }
        let named = options.catalog ?? environment.path("LARDER_CATALOG") ?? options.defaultCatalogs.first
        catalog =
            named.flatMap { CatalogLoader.own($0, environment) }.map { Place(path: $0, trust: .found) }
            ?? place(
                named,
                environment.configDirectory.map { $0 + "/catalog.jsonc" }, "catalog", .found,
                "no catalog is looked up; set HOME, XDG_CONFIG_HOME or --catalog")
        cache =
            options.isPersistent
            ? place(
                options.cacheDirectory.map { $0 + "/cache.sqlite" },
                environment.cacheDirectory.map { $0 + "/cache.sqlite" }, "persistence", .foundDatabase,
                "the cache is in memory only; set HOME, XDG_CACHE_HOME or --cache-dir") : nil
        recents = place(
            options.dataDirectory.map { $0 + "/recents.sqlite" },
            environment.dataDirectory.map { $0 + "/recents.sqlite" }, "recents", .foundDatabase,
            "recent searches are in memory only; set HOME, XDG_DATA_HOME or --data-dir")
        self.faults = faults
    }
}

/// The environment of a process: its variables, and the folders of the XDG Base Directory Specification.
package struct Environment: Sendable {
    /// Returns the bytes of an environment variable; nil if the variable is not set. The bytes may be invalid UTF-8.
    package let bytes: @Sendable (String) -> [UInt8]?
    /// Returns the home folder of the current user from the system's user database.
    package let homeOfUser: @Sendable () -> FilePath?

    package init(
        bytes: @escaping @Sendable (String) -> [UInt8]?, homeOfUser: @escaping @Sendable () -> FilePath?
    ) {
        self.bytes = bytes
        self.homeOfUser = homeOfUser
    }

    /// The environment of the running process.
    package static let process = Environment(
        bytes: { name in getenv(name).map { FilePath(cString: $0).bytes } },
        homeOfUser: { getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { FilePath(cString: $0) } })

    /// The source of a catalog's secrets and variables, without values from the command line. The value of
    /// `${var:NAME}` comes only from the environment variable `LARDER_VAR_NAME`.
    var secrets: SecretSource { secrets() }

    /// Creates the source of a catalog's secrets and variables. The source reads each file only once, because the
    /// content of a pipe cannot be read again.
    ///
    /// - Parameters:
    ///   - variables: the values of catalog variables from the command line.
    ///   - onFile: a closure that gets the path of each file before its first use.
    package func secrets(
        variables: [String: String] = [:], _ onFile: @escaping @Sendable (FilePath) -> Void = { _ in }
    ) -> SecretSource {
        let known = Lock<[String: Result<[UInt8], FileError>]>([:])
        let contents: @Sendable (String) throws(FileError) -> [UInt8]? = { (path) throws(FileError) in
            if let contents = known.withLock({ $0[path] }) { return try contents.get() }
            onFile(FilePath(path))
            let contents = Result { () throws(FileError) in
                try InputFile.read(FilePath(path), atMost: InputFile.largestSecret)
            }
            known.withLock { $0[path] = contents }
            return try contents.get()
        }
        return SecretSource(variable: bytes, contents: contents, given: variables)
    }

    package var cacheDirectory: FilePath? { directory("XDG_CACHE_HOME", "/.cache") }
    package var dataDirectory: FilePath? { directory("XDG_DATA_HOME", "/.local/share") }
    package var stateDirectory: FilePath? { directory("XDG_STATE_HOME", "/.local/state") }
    package var configDirectory: FilePath? { directory("XDG_CONFIG_HOME", "/.config") }

    /// Returns the path in an environment variable; nil if the variable is unset or empty.
    package func path(_ name: String) -> FilePath? {
        bytes(name).map { FilePath($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns one of Larder's folders, such as the cache folder (XDG specification). Nil if there is no home folder.
    ///
    /// - Parameters:
    ///   - name: the environment variable with the path of the parent folder.
    ///   - below: the path of the parent folder, relative to the home folder. Used if the variable contains no
    ///     absolute path.
    private func directory(_ name: String, _ below: FilePath) -> FilePath? {
        let base = absolute(path(name)) ?? (absolute(path("HOME")) ?? absolute(homeOfUser())).map { $0 + below }
        return base.map { $0 + "/larder" }
    }

    private func absolute(_ path: FilePath?) -> FilePath? { path.flatMap { $0.isAbsolute ? $0 : nil } }
}
