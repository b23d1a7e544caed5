import CCurl
import System

/// A URL that libcurl has parsed.
// A class rather than a struct, because the libcurl handle must have exactly one owner.
final class CurlURL {
    private let library: CurlLibrary
    /// The libcurl handle of the URL, for the option `CURLOPT_CURLU`. The handle must not be freed before the transfer
    /// ends.
    let handle: OpaquePointer

    private init(_ library: CurlLibrary, owning handle: OpaquePointer) {
        self.library = library
        self.handle = handle
    }

    deinit { larder_curl_url_cleanup(library.functions, handle) }

    /// Parses an absolute `http` or `https` URL.
    ///
    /// - Throws: `HTTPError.invalidURL` if the URL is malformed or contains a user or password. Credentials are only
    ///   allowed in header fields.
    static func parse(_ text: String, with library: CurlLibrary) throws(HTTPError) -> CurlURL {
        guard let handle = larder_curl_url(library.functions) else { throw .network("out of memory") }
        let url = CurlURL(library, owning: handle)
        // A NUL would truncate the C string without an error.
        let code = text.withCString { chars in
            strlen(chars) == text.utf8.count
                ? larder_curl_url_set(library.functions, handle, CURLUPART_URL, chars, UInt32(CURLU_DISALLOW_USER))
                : nil
        }
        guard let code else { throw .invalidURL("the URL contains a NUL character") }
        try url.check(code)
        try url.noteScheme(of: text)
        return url
    }

    /// Resolves the value of a `Location` header field against this URL (RFC 9110, section 10.2.2). The result has no
    /// user, password or fragment.
    ///
    /// - Throws: `HTTPError.invalidURL` if the location is malformed or its scheme is not `http` or `https`.
    func resolving(_ location: String) throws(HTTPError) -> CurlURL {
        guard let copy = larder_curl_url_copy(library.functions, handle) else { throw .network("out of memory") }
        let url = CurlURL(library, owning: copy)
        let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
        try url.check(larder_curl_url_set(library.functions, copy, CURLUPART_URL, location, flags))
        try url.noteScheme(of: url.text ?? "")
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            _ = larder_curl_url_set(library.functions, copy, part, nil, 0)
        }
        return url
    }

    /// The origin of the URL: scheme, host and port in a normalized form (RFC 6454, section 4).
    var origin: String {
        let port = part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
        return "\(scheme)://\((part(CURLUPART_HOST) ?? "").lowercased()):\(port)"
    }

    /// The complete URL as a string.
    var text: String? { part(CURLUPART_URL) }

    /// Whether the URL's scheme is `https`.
    private(set) var isSecure = false

    private var scheme: String { part(CURLUPART_SCHEME)?.lowercased() ?? "" }

    private func part(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard larder_curl_url_get(library.functions, handle, part, &text, flags) == CURLUE_OK, let text else {
            return nil
        }
        defer { larder_curl_free(library.functions, text) }
        return String(cString: text)
    }

    private func check(_ code: CURLUcode) throws(HTTPError) {
        switch code {
        case CURLUE_OK: break
        case CURLUE_OUT_OF_MEMORY: throw .network("out of memory")
        case CURLUE_UNSUPPORTED_SCHEME: throw .invalidURL("the URL must begin with http:// or https://")
        case CURLUE_USER_NOT_ALLOWED:
            throw .invalidURL("the URL contains a user or password; declare credentials in 'auth' instead")
        default: throw .invalidURL("the URL is malformed; check its host, its port and its percent-encoding")
        }
    }

    /// Sets `isSecure`: true for a URL with the scheme `https`, false for `http`. Throws for any other scheme.
    // libcurl would return a copy of the scheme.
    private func noteScheme(of text: String) throws(HTTPError) {
        func begins(with scheme: StaticString) -> Bool {
            let scheme = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
            // `0x20` makes letters lowercase and does not change a colon.
            return text.utf8.prefix(scheme.count).elementsEqual(scheme) { $0 | 0x20 == $1 }
        }
        isSecure = begins(with: "https:")
        guard isSecure || begins(with: "http:") else {
            throw .invalidURL("the URL must begin with http:// or https://")
        }
    }
}
