import DataSources
import RPCServer

/// The text that `larder --version` prints: the version, then those of Swift, SQLite and libcurl.
enum VersionText {
    static var text: String {
        """
        larder \(Version.current)
        built with Swift \(swift)
        SQLite \(DatabaseLibrary.version)
        \(libcurl)

        """
    }

    /// The major and minor version of the standard library, which are those of the compiler. The patch number may
    /// differ from the compiler's.
    private static var swift: String {
        _SwiftStdlibVersion.current.description.split(separator: ".").prefix(2).joined(separator: ".")
    }

    /// The version of libcurl, or why it could not be loaded. Larder loads libcurl at the first request only.
    private static var libcurl: String {
        switch Reachability.library {
        case .success(let name): name.split(separator: "/", maxSplits: 1).joined(separator: " ")
        case .failure(let error): "libcurl not found: \(error.message)"
        }
    }
}
