/// The library that carries HTTP.
package enum HTTPLibrary {
    /// The name and version of the library, such as `libcurl/8.5.0`. The first call opens it.
    ///
    /// - Throws: `.network` if it cannot be opened.
    package static func version() throws(HTTPError) -> String { try CurlLibrary.version() }
}
