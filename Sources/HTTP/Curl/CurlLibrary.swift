import CCurl
import System

/// The system's libcurl. The first request of the process loads and initializes the library.
// Safe: the functions are written before other threads can see them, and never freed.
package struct CurlLibrary: @unchecked Sendable {
    let functions: UnsafePointer<larder_curl>

    private static let opened = Lock(CurlLibrary?.none)

    /// Returns libcurl. The first call loads the library.
    ///
    /// - Throws: `.network` if libcurl cannot be loaded. The next call tries again.
    package static func open() throws(HTTPError) -> CurlLibrary {
        try opened.withLock { (opened) throws(HTTPError) in
            if let opened { return opened }
            let functions = UnsafeMutablePointer<larder_curl>.allocate(capacity: 1)
            functions.initialize(to: larder_curl())
            guard larder_curl_load(functions) != 0, larder_curl_global_init(functions) == CURLE_OK else {
                functions.deallocate()
                throw Descriptors.shortage.map { .network($0).unsent } ?? missing
            }
            let library = CurlLibrary(functions: functions)
            opened = library
            return library
        }
    }

    /// Returns the name and version of libcurl, such as `libcurl/8.5.0`.
    static func version() throws(HTTPError) -> String {
        guard let text = larder_curl_version(try open().functions) else { return "libcurl" }
        return String(String(cString: text).prefix { $0 != " " })
    }

    /// The error with which every request fails if libcurl is not installed.
    private static let missing = HTTPError.network(
        "the library libcurl cannot be loaded; install the package libcurl4 (Debian, Ubuntu), libcurl (Fedora) or curl"
            + " (Alpine, Arch, Homebrew)"
    ).unsent
}
