import Model

/// The outcome of a request for one page of a list.
public enum RemotePage: Equatable, Sendable {
    /// The page, and the validators for the next request.
    case page(PageDTO, Validators?)
    /// The page has not changed (status 304). The validators are those for the next request; nil if they have not
    /// changed either.
    case notModified(Validators?)
    /// The requested page is past the end of the list. The error is for callers that asked for exactly this page,
    /// rather than for the next page.
    case pastTheEnd(APIError)

    /// Interprets the error of a failed request for a page.
    ///
    /// For every page except the first, the statuses "not found" and "bad request" mean that the page is past the end
    /// of the list.
    ///
    /// - Parameter first: the first page of the list.
    /// - Throws: `error`, if it does not mean a page past the end.
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
