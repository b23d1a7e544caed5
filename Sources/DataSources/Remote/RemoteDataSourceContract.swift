import Catalog
import Model

/// Fetches the items of one resource from an API, over REST or GraphQL.
public protocol RemoteDataSourceContract: Sendable {
    /// The maximum number of items that one request can fetch; nil if each request fetches one item.
    var maxIDs: Int? { get }

    /// Returns a data source that is limited to one scope of the resource, such as the issues of one repository.
    func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract

    /// Returns a data source for syncs. Its page requests follow the catalog's `sync` declaration. If the catalog
    /// declares no `sync`, the requests stay the same.
    func syncing(_ requests: SyncRequests) -> any RemoteDataSourceContract

    /// Fetches the token for the first request for changes of a list. Returns nil if the catalog's `sync` declares no
    /// separate request to get this token.
    ///
    /// - Throws: `APIError` if the request failed, or if its answer has no token.
    func initialToken() async throws(APIError) -> PageToken?

    /// Fetches one item.
    ///
    /// - Parameter validators: the validators of the cached item (`ETag`, `Last-Modified`). They let the API answer
    ///   that the item has not changed.
    /// - Throws: `APIError` if the request failed; its kind is `.notFound` if the API has no such item.
    func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO>

    /// Fetches several items with one request, and returns them in the API's order. The result omits items that the API
    /// does not have.
    ///
    /// - Throws: `APIError` if the request failed.
    func items(_ ids: [String]) async throws(APIError) -> ItemDTOs

    /// Fetches one page of the list.
    ///
    /// - Parameter validators: the validators of the cached page (`ETag`, `Last-Modified`). They let the API answer
    ///   that the page has not changed.
    /// - Throws: `APIError` if the request failed. A page past the end of the list is a result, not an error.
    func page(_ request: PageRequest, since validators: Validators?) async throws(APIError) -> RemotePage

    /// Returns a preview of the request for a read, without sending the request.
    ///
    /// - Throws: `APIError.invalidRequest` if the request cannot be built.
    func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview
}
