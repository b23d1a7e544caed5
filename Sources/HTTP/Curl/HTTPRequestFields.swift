import CCurl
import Model

/// The header fields of a request as a linked list for libcurl.
// The list is reused if the next request has the same fields, which is common for requests to one API.
struct HTTPRequestFields {
    private let library: CurlLibrary
    private var list: UnsafeMutablePointer<curl_slist>?
    private var headers: [HTTPHeader] = []
    private var credentials: [HTTPHeader] = []
    private var isPOST = false

    init(_ library: CurlLibrary) { self.library = library }

    /// Frees the list of header fields. The libcurl easy handle that uses the list must be freed first.
    mutating func free() {
        larder_curl_slist_free(library.functions, list)
        list = nil
    }

    /// Sets the header fields of a request on a libcurl easy handle.
    ///
    /// - Throws: `.invalidURL` if a field has an invalid name or its value contains a line break.
    mutating func set(for hop: HTTPHop, on easy: UnsafeMutableRawPointer) throws(HTTPError) {
        let isPOST = hop.body != nil
        if self.isPOST == isPOST, headers == hop.headers, credentials == hop.credentials { return }
        var lines: [String] = []
        for header in hop.headers + hop.credentials { lines.append(try Self.line(header)) }
        if isPOST {
            // By default libcurl waits for "100 Continue" and sends the content type of a form.
            lines.append("Expect:")
            if hop.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        var new: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = larder_curl_slist_append(library.functions, new, line) else {
                larder_curl_slist_free(library.functions, new)
                throw .network("out of memory")
            }
            new = longer
        }
        _ = larder_curl_set_pointer(library.functions, easy, CURLOPT_HTTPHEADER, new)
        free()
        list = new
        headers = hop.headers
        credentials = hop.credentials
        self.isPOST = isPOST
    }

    /// Formats a header field for libcurl. If the value is empty, libcurl expects a semicolon after the name.
    private static func line(_ header: HTTPHeader) throws(HTTPError) -> String {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else {
            throw .invalidURL("the header field name '\(header.name)' is invalid; use letters, digits and '-'")
        }
        guard !header.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw .invalidURL(
                "the header field '\(header.name)' must not contain a line break or a NUL character; use another value")
        }
        let isBlank = header.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isBlank ? header.name + ";" : "\(header.name): \(header.value)"
    }

    /// Whether a byte may occur in a token, such as the name of a header field (RFC 9110, section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
