import DataSources
import System

/// Where a process keeps its files, and looks for its catalog.
struct Places {
    /// A file's place, and how far what is there is trusted.
    struct Place: Equatable {
        let path: FilePath
        let trust: FileTrust
    }

    /// A place that is missing: what is concerned, and what to set.
    struct Fault: Equatable {
        let part: String
        let reason: String
    }

    /// nil where no catalog is named and there is no folder in which to look for one.
    let catalog: Place?
    /// nil where nothing is kept in a file.
    let cache: Place?
    /// nil where nothing is kept in a file.
    let recents: Place?
    /// What is missing because there is no home folder.
    let faults: [Fault]

    init(_ options: Options, _ environment: Environment) {
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
struct Environment: Sendable {
    /// A variable's bytes, which need not be UTF-8; nil where it is not set.
    let bytes: @Sendable (String) -> [UInt8]?
    /// The home folder that the system's list of users has for this one.
    let homeOfUser: @Sendable () -> FilePath?

    /// That of this process.
    static let process = Environment(
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
    func secrets(
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

    var cacheDirectory: FilePath? { directory("XDG_CACHE_HOME", "/.cache") }
    var dataDirectory: FilePath? { directory("XDG_DATA_HOME", "/.local/share") }
    var configDirectory: FilePath? { directory("XDG_CONFIG_HOME", "/.config") }

    /// A file's name in a variable; nil where that is not set, or empty.
    func path(_ name: String) -> FilePath? {
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
