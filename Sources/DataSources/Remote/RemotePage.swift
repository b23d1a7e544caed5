import Model

/// The outcome of a successful request for one page of a list.
public enum RemotePage: Equatable, Sendable {
    /// The API returned the page. The validators are for the next request.
    case page(PageDTO, Validators?)
    /// The page has not changed (status 304). The validators are for the next request; nil if the cached validators
    /// stay valid.
    case notModified(Validators?)
    /// The requested page is past the end of the list. The caller reports the associated error or returns an empty
    /// page.
    case pastTheEnd(APIError)

    /// Interprets the error of a failed page request. For every page except the first, the statuses 404 and 400 mean
    /// that the page is past the end of the list.
    ///
    /// - Parameter first: the token of the first page of the list.
    /// - Throws: `error`, if it does not mean that the page is past the end.
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
