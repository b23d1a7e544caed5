/// The validators of an answer (RFC 9110, section 8.8): the values of its header fields `ETag` and `Last-Modified`.
///
/// A class rather than a struct, so that an entry without validators needs only one word of memory: a nil reference.
public final class Validators: Equatable, Sendable {
    /// The entity tag with its quotes. A weak tag also has its prefix `W/`.
    public let etag: String?
    /// The `Last-Modified` date as the API sent it.
    public let lastModified: String?

    /// Creates validators from an `ETag` and a `Last-Modified` value; nil if both are nil.
    public init?(etag: String?, lastModified: String?) {
        if etag == nil, lastModified == nil { return nil }
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether two validators have the same `ETag` and the same `Last-Modified` value.
    public static func == (left: Validators, right: Validators) -> Bool {
        left === right || (left.etag == right.etag && left.lastModified == right.lastModified)
    }
}

/// The API's answer to a request: the requested data, or the report that the data has not changed.
public enum RemoteAnswer<DTO: Sendable>: Sendable {
    /// The API sent a changed version, with validators for the next request.
    case changed(DTO, Validators?)
    /// The API reported that nothing has changed (status 304). The validators are nil if the answer contained no new
    /// validators.
    case notModified(Validators?)
}

extension RemoteAnswer: Equatable where DTO: Equatable {}
