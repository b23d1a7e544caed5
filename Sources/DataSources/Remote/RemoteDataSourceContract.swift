/// Asks an API for the items of one resource. One contract, whatever the transport.
public protocol RemoteDataSourceContract: Sendable {
    /// How many items one request may ask for; nil where several cannot be asked for at once.
    var maxIDs: Int? { get }

    /// One item.
    ///
    /// - Throws: `APIError`; `.notFound` where the API has no such item.
    func item(_ id: String) async throws(APIError) -> ItemDTO

    /// Several items by one request, in the API's order; those that the API does not have are left out.
    ///
    /// - Throws: `APIError`.
    func items(_ ids: [String]) async throws(APIError) -> [ItemDTO]

    /// One page of the list.
    ///
    /// - Throws: `APIError`; `.notFound` for a page past the end.
    func page(_ request: PageRequest) async throws(APIError) -> PageDTO
}
