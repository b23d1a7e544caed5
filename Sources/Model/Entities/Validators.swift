/// What a conditional request is made of (RFC 9110, section 8.8): the answer's `ETag` and `Last-Modified`, as they
/// came.
///
/// A class, so that an entry in memory that has none pays for one word only.
public final class Validators: Equatable, Sendable {
    /// The entity tag with its quotes, and with `W/` where it is weak.
    public let etag: String?
    /// The date in the API's own words.
    public let lastModified: String?

    /// Validators; nil where there is neither.
    public init?(etag: String?, lastModified: String?) {
        if etag == nil, lastModified == nil { return nil }
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Equal word by word.
    public static func == (left: Validators, right: Validators) -> Bool {
        left === right || (left.etag == right.etag && left.lastModified == right.lastModified)
    }
}

/// What an API says of something that may be known already.
public enum RemoteAnswer<DTO: Sendable>: Sendable {
    /// This is what it is now, and what to ask with next time.
    case changed(DTO, Validators?)
    /// It is as it was when the validators came that were sent (status 304); newer ones where the API sent any.
    case notModified(Validators?)
}

extension RemoteAnswer: Equatable where DTO: Equatable {}
