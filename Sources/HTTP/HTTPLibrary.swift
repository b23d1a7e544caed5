/// Information about the system's libcurl for other modules.
package enum HTTPLibrary {
    /// Returns the name and version of libcurl, such as `libcurl/8.5.0`. The first call loads libcurl.
    ///
    /// - Throws: `.network` if libcurl cannot be loaded.
    package static func version() throws(HTTPError) -> String { try CurlLibrary.version() }
}
