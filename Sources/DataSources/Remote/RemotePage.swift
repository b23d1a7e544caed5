import Model

/// The outcome of a successful request for one page of a list.
public enum RemotePage: Equatable, Sendable {
    /// The API returned the page, and optionally validators (`ETag`, `Last-Modified`) for the next request.
    case page(PageDTO, Validators?)
    /// The API confirmed the cached page (status 304). The associated validators replace the cached validators. If they
    /// are nil, the cached validators stay in use.
    case notModified(Validators?)
    /// The requested page is past the end of the list. The associated value is the API's error.
    case pastTheEnd(APIError)

    /// Creates the result `pastTheEnd` from an error with the status 404 or 400. The first page of a list cannot be
    /// past the end.
    ///
    /// - Parameter first: the token of the first page of the list.
    /// - Throws: `error`, if it has another status or belongs to the first page.
    public init(_ error: APIError, on page: PageToken, first: PageToken?) throws(APIError) {
        let isRefusal = error.kind == .notFound || (error.status == 400 && error.kind == .invalidRequest)
        guard isRefusal, page != first, page != .first else { throw error }
        self = .pastTheEnd(error)
    }

    init(_ answer: RemoteAnswer<PageDTO>) {
        switch answer {
        case .changed(let page, let validators): self = .page(page, validators)
        case .notModified(let validators): self = .notModified(validators)
        }
    }
}
