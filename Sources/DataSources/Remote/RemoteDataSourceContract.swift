import Model

/// Asks an API for the items of one resource. One contract, whatever the transport.
public protocol RemoteDataSourceContract: Sendable {
    /// How many items one request may ask for; nil where several cannot be asked for at once.
    var maxIDs: Int? { get }

    /// The same for one value of the resource's scope: what it is asked for is that scope's.
    func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract

    /// One item; with validators, whether it has changed since they came.
    ///
    /// - Throws: `APIError`; `.notFound` where the API has no such item.
    func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO>

    /// Several items by one request, in the API's order; those that the API does not have are left out.
    ///
    /// - Throws: `APIError`.
    func items(_ ids: [String]) async throws(APIError) -> ItemDTOs

    /// Requests one page of the list; with validators, only if it has changed since they came.
    ///
    /// - Throws: `APIError` if the API failed. That the list has no such page is an outcome, not an error.
    func page(_ request: PageRequest, since validators: Validators?) async throws(APIError) -> RemotePage

    /// The request that would be made, which is not made.
    ///
    /// - Throws: `APIError.invalidRequest` where it cannot be built.
    func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview
}
