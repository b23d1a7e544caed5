import Catalog
import DataSources
import System

/// Where a process keeps its files, and looks for its catalog.
package struct Places {
    /// A file's place, and how far what is there is trusted.
    package struct Place: Equatable {
        package let path: FilePath
        let trust: FileTrust
    }

    /// A place that is missing: what is concerned, and what to set.
    package struct Fault: Equatable {
        package let part: String
        package let reason: String
    }

    /// nil where no catalog is named and there is no folder in which to look for one.
    let catalog: Place?
    /// nil where nothing is kept in a file.
    package let cache: Place?
    /// nil where nothing is kept in a file.
    let recents: Place?
    /// What is missing because there is no home folder.
    package let faults: [Fault]

    package init(_ options: Options, _ environment: Environment) {
        var faults: [Fault] = []
        func place(
            _ named: FilePath?, _ standard: FilePath?, _ part: String, _ trust: FileTrust, _ missing: String
        ) -> Place? {
            if let named { return Place(path: named, trust: .named) }
            if let standard { return Place(path: standard, trust: trust) }
            faults.append(Fault(part: part, reason: "there is no home folder, so \(missing)"))
            return nil
        }
        catalog = place(
            options.catalog ?? environment.path("LARDER_CATALOG"),
            environment.configDirectory.map { $0 + "/catalog.jsonc" }, "catalog", .found,
            "no catalog is looked for: set HOME, XDG_CONFIG_HOME or --catalog")
        cache =
            options.isPersistent
            ? place(
                options.cacheDirectory.map { $0 + "/cache.sqlite" },
                environment.cacheDirectory.map { $0 + "/cache.sqlite" }, "persistence", .foundDatabase,
                "the cache is in memory only: set HOME, XDG_CACHE_HOME or --cache-dir") : nil
        recents = place(
            options.dataDirectory.map { $0 + "/recents.sqlite" },
            environment.dataDirectory.map { $0 + "/recents.sqlite" }, "recents", .foundDatabase,
            "recent searches are in memory only: set HOME, XDG_DATA_HOME or --data-dir")
        self.faults = faults
    }
}

/// The process's environment: its variables, and the folders that the XDG Base Directory Specification names.
package struct Environment: Sendable {
    /// A variable's bytes, which need not be UTF-8; nil where it is not set.
    package let bytes: @Sendable (String) -> [UInt8]?
    /// The home folder that the system's list of users has for this one.
    package let homeOfUser: @Sendable () -> FilePath?

    package init(
        bytes: @escaping @Sendable (String) -> [UInt8]?, homeOfUser: @escaping @Sendable () -> FilePath?
    ) {
        self.bytes = bytes
        self.homeOfUser = homeOfUser
    }

    /// That of this process.
    package static let process = Environment(
        bytes: { name in getenv(name).map { FilePath(cString: $0).bytes } },
        homeOfUser: { getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { FilePath(cString: $0) } })

    /// Where the secrets of a catalog are found. A file is read once, however often it is named: a pipe has its text
    /// only once.
    var secrets: SecretSource { secrets() }

    /// Where a catalog's secrets and variables come from.
    ///
    /// - Parameters:
    ///   - variables: the values of the catalog's variables that the command line gives.
    ///   - onFile: called with each file, when it is named first.
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
    var configDirectory: FilePath? { directory("XDG_CONFIG_HOME", "/.config") }

    /// A file's name in a variable; nil where that is not set, or empty.
    package func path(_ name: String) -> FilePath? {
        bytes(name).map { FilePath($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A path that is not absolute counts as not set, as the specification demands. Without a home folder there is
    /// none: what lies elsewhere may be somebody else's.
    private func directory(_ name: String, _ below: FilePath) -> FilePath? {
        let base = absolute(path(name)) ?? (absolute(path("HOME")) ?? absolute(homeOfUser())).map { $0 + below }
        return base.map { $0 + "/larder" }
    }

    private func absolute(_ path: FilePath?) -> FilePath? { path.flatMap { $0.isAbsolute ? $0 : nil } }
}
