import Model

/// Fetches the items of one resource from an API, over REST or GraphQL.
public protocol RemoteDataSourceContract: Sendable {
    /// The maximum number of items in one request; nil if a request can fetch only one.
    var maxIDs: Int? { get }

    /// Returns a data source for the same resource in one scope.
    func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract

    /// Fetches one item.
    ///
    /// - Parameter validators: the validators of the cached item. With them the API may answer that the item has not
    ///   changed.
    /// - Throws: `APIError`; `.notFound` if the API has no such item.
    func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO>

    /// Fetches several items with one request. Returns them in the API's order. Items that the API does not have are
    /// missing from the result.
    ///
    /// - Throws: `APIError`.
    func items(_ ids: [String]) async throws(APIError) -> ItemDTOs

    /// Fetches one page of the list.
    ///
    /// - Parameter validators: the validators of the cached page. With them the API may answer that the page has not
    ///   changed.
    /// - Throws: `APIError` if the request failed. A page past the end of the list is a result, not an error.
    func page(_ request: PageRequest, since validators: Validators?) async throws(APIError) -> RemotePage

    /// Returns a preview of the request for a read. Nothing is sent.
    ///
    /// - Throws: `APIError.invalidRequest` if the request cannot be built.
    func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview
}
