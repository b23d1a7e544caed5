import Model

/// The outcome of a request for one page of a list.
public enum RemotePage: Equatable, Sendable {
    /// The page, and the validators for the next request.
    case page(PageDTO, Validators?)
    /// The page has not changed since the validators that were sent (status 304). Newer ones if the API sent any.
    case notModified(Validators?)
    /// The list has no such page. The error is the one for a caller who asked for the page by its name.
    case pastTheEnd(APIError)

    /// The outcome of a request that failed.
    ///
    /// Past the first page, the answers "not found" and "bad request" mean that the list has no such page.
    ///
    /// - Parameter first: the first page of the list.
    /// - Throws: `error`, if it means anything else.
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
