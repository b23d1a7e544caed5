#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import DataSources

/// The process's environment: its variables, and the folders that the XDG Base Directory Specification names.
struct Environment: Sendable {
    let variable: @Sendable (String) -> String?

    /// That of this process.
    static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    /// Where the secrets of a catalog are found.
    var secrets: SecretSource {
        SecretSource(environment: variable) { path in
            guard let bytes = try? Files.read(path) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    var cacheDirectory: String { directory("XDG_CACHE_HOME", ".cache") + "/larder" }
    var dataDirectory: String { directory("XDG_DATA_HOME", ".local/share") + "/larder" }
    var configDirectory: String { directory("XDG_CONFIG_HOME", ".config") + "/larder" }

    /// The path of the cache file.
    func cacheFile(_ options: Options) -> String {
        (options.cacheDirectory ?? cacheDirectory) + "/cache.sqlite"
    }

    /// A path that is not absolute counts as not set, as the specification demands.
    private func directory(_ name: String, _ below: String) -> String {
        if let path = variable(name), path.hasPrefix("/") { return path }
        return (home ?? "/tmp/larder-\(getuid())") + "/" + below
    }

    private var home: String? {
        if let path = variable("HOME"), path.hasPrefix("/") { return path }
        return getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
    }
}
