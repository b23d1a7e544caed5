import Model

/// Conditional requests (RFC 9110, section 13).
extension Validators {
    /// How many bytes a validator may have. A longer one would be sent with each request, and servers refuse long
    /// headers.
    private static let limit = 1024

    /// The validators of an answer, as far as they can be sent back and hold no secret: they are kept in the file.
    package convenience init?(of response: HTTPResponse, without redactor: Redactor) {
        func kept(_ name: String) -> String? {
            Self.sendable(response.headers[name]).flatMap { redactor.finds(in: $0) ? nil : $0 }
        }
        self.init(etag: kept("ETag"), lastModified: kept("Last-Modified"))
    }

    /// The fields that ask whether something has changed. Both go: who knows `If-None-Match` ignores the other
    /// (RFC 9110, section 13.1.3).
    package var headers: [HTTPHeader] {
        [
            Self.sendable(etag).map { HTTPHeader(HTTPRequest.ifNoneMatch, $0) },
            Self.sendable(lastModified).map { HTTPHeader(HTTPRequest.ifModifiedSince, $0) },
        ].compactMap { $0 }
    }

    /// What a 304 says that is not known yet: the fields that it has replace these (RFC 9111, section 4.3.4). nil where
    /// nothing is new.
    package func renewed(by response: HTTPResponse, without redactor: Redactor) -> Validators? {
        let told = Validators(of: response, without: redactor)
        let renewed = Validators(etag: told?.etag ?? etag, lastModified: told?.lastModified ?? lastModified)
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

    /// Whether it asks for an answer only if something has changed.
    package var isConditional: Bool { headers[Self.ifNoneMatch] != nil || headers[Self.ifModifiedSince] != nil }

    /// The same that asks for an answer in any case.
    var unconditional: HTTPRequest {
        var request = self
        request.headers.removeAll { [Self.ifNoneMatch, Self.ifModifiedSince].contains($0.name) }
        return request
    }
}
