import DataSources
import RPCServer

/// What `larder --version` prints: the version on the first line, and then what it was built with and has found.
enum VersionText {
    static var text: String {
        """
        larder \(Version.current)
        built with Swift \(swift)
        SQLite \(DatabaseLibrary.version)
        \(libcurl)

        """
    }

    /// The standard library's: a compiler brings its own, and that counts no patches.
    private static var swift: String {
        _SwiftStdlibVersion.current.description.split(separator: ".").prefix(2).joined(separator: ".")
    }

    /// It is loaded for this question: all else but a request does without it.
    private static var libcurl: String {
        switch Reachability.library {
        case .success(let name): name.split(separator: "/", maxSplits: 1).joined(separator: " ")
        case .failure(let error): "libcurl not found: \(error.message)"
        }
    }
}
