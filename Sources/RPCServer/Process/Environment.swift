import DataSources
import System

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

    /// Where the secrets of a catalog are found. A file is read once, however often it is named: a pipe has its text only
    /// once.
    var secrets: SecretSource {
        let known = Lock<[String: Result<[UInt8], FileError>]>([:])
        return SecretSource(variable: bytes) { (path) throws(FileError) in
            if let contents = known.withLock({ $0[path] }) { return try contents.get() }
            let contents = Result { () throws(FileError) in
                try InputFile.read(FilePath(path), atMost: InputFile.largestSecret)
            }
            known.withLock { $0[path] = contents }
            return try contents.get()
        }
    }

    var cacheDirectory: FilePath? { directory("XDG_CACHE_HOME", "/.cache") }
    var dataDirectory: FilePath? { directory("XDG_DATA_HOME", "/.local/share") }
    var configDirectory: FilePath? { directory("XDG_CONFIG_HOME", "/.config") }

    /// A file's name in a variable; nil where that is not set, or empty.
    func path(_ name: String) -> FilePath? {
        bytes(name).map { FilePath($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A path that is not absolute counts as not set, as the specification demands. Without a home folder there is none:
    /// what lies elsewhere may be somebody else's.
    private func directory(_ name: String, _ below: FilePath) -> FilePath? {
        let base = absolute(path(name)) ?? (absolute(path("HOME")) ?? absolute(homeOfUser())).map { $0 + below }
        return base.map { $0 + "/larder" }
    }

    private func absolute(_ path: FilePath?) -> FilePath? { path.flatMap { $0.isAbsolute ? $0 : nil } }
}
