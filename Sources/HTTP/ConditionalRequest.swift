import Model

/// Validators (`ETag`, `Last-Modified`) in conditional requests (RFC 9110, section 13).
extension Validators {
    /// The maximum length of a validator, in bytes. A longer validator is dropped, because each request would contain
    /// it, and servers reject long headers.
    private static let limit = 1024

    /// Creates validators from the header fields of an answer. Drops a value that contains a secret or cannot be sent
    /// as a header field.
    // Validators are stored in the cache file.
    package convenience init?(of response: HTTPResponse, without redactor: Redactor) {
        func kept(_ name: String) -> String? {
            Self.sendable(response.headers[name]).flatMap { redactor.finds(in: $0) ? nil : $0 }
        }
        let (etag, lastModified) = (kept("ETag"), kept("Last-Modified"))
        // Most answers have no validators, so no object is created for them.
        guard etag != nil || lastModified != nil else { return nil }
        self.init(etag: etag, lastModified: lastModified)
    }

    /// The header fields that make a request conditional: `If-None-Match` and `If-Modified-Since`.
    // Both fields are sent, because some servers support only `If-Modified-Since`. Other servers ignore it if
    // `If-None-Match` is present (RFC 9110, section 13.1.3).
    package var headers: [HTTPHeader] {
        [
            Self.sendable(etag).map { HTTPHeader(HTTPRequest.ifNoneMatch, $0) },
            Self.sendable(lastModified).map { HTTPHeader(HTTPRequest.ifModifiedSince, $0) },
        ].compactMap { $0 }
    }

    /// Returns a copy of these validators with the newer values from a 304 answer (RFC 9111, section 4.3.4). Returns
    /// nil if no value has changed.
    package func renewed(by response: HTTPResponse, without redactor: Redactor) -> Validators? {
        let received = Validators(of: response, without: redactor)
        let renewed = Validators(
            etag: received?.etag ?? etag, lastModified: received?.lastModified ?? lastModified)
        return renewed == self ? nil : renewed
    }

    private static func sendable(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= limit,
            !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return value
    }
}

extension HTTPRequest {
    static let ifNoneMatch = "If-None-Match"
    static let ifModifiedSince = "If-Modified-Since"

    /// Whether the request is conditional. The server may answer such a request with a 304.
    package var isConditional: Bool { headers[Self.ifNoneMatch] != nil || headers[Self.ifModifiedSince] != nil }

    /// A copy of the request without `If-None-Match` and `If-Modified-Since`.
    var unconditional: HTTPRequest {
        var request = self
        request.headers.removeAll { [Self.ifNoneMatch, Self.ifModifiedSince].contains($0.name) }
        return request
    }
}
