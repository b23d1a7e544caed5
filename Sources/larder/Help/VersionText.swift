import DataSources
import RPCServer

/// The text that `larder --version` prints: the versions of Larder, Swift, SQLite and libcurl.
enum VersionText {
    static var text: String {
        """
        larder \(Version.current)
        built with Swift \(swift)
        SQLite \(DatabaseLibrary.version)
        \(libcurl)

        """
    }

    /// The major and minor version of Swift's standard library, which is also the version of the compiler.
    private static var swift: String {
        _SwiftStdlibVersion.current.description.split(separator: ".").prefix(2).joined(separator: ".")
    }

    /// The version of libcurl, or the reason why libcurl cannot be loaded.
    private static var libcurl: String {
        switch Reachability.library {
        case .success(let name): name.split(separator: "/", maxSplits: 1).joined(separator: " ")
        case .failure(let error): "libcurl not found: \(error.message)"
        }
    }
}
