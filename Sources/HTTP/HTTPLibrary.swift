/// The system's libcurl.
package enum HTTPLibrary {
    /// Returns the name and version of the library, such as `libcurl/8.5.0`. The first call loads it.
    ///
    /// - Throws: `.network` if libcurl cannot be loaded.
    package static func version() throws(HTTPError) -> String { try CurlLibrary.version() }
}
