import Model

/// The outcome of a request for one page of a list.
public enum RemotePage: Equatable, Sendable {
    /// The page, and the validators for the next request.
    case page(PageDTO, Validators?)
    /// The page has not changed (status 304). The value is the updated validators, if the API sent any.
    case notModified(Validators?)
    /// The list has no such page. The error is for callers that requested exactly this page.
    case pastTheEnd(APIError)

    /// Interprets the error of a failed request for a page.
    ///
    /// For any page but the first, "not found" and "bad request" mean that the list has no such page.
    ///
    /// - Parameter first: the first page of the list.
    /// - Throws: `error`, if it has another meaning.
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
