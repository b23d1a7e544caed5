import Catalog
import Model

/// A data source for an API that cannot be used, because the catalog refers to a missing secret or variable. Each
/// request fails with an error that names the missing value. Cached entries are still served.
public struct UnconfiguredDataSource: RemoteDataSourceContract {
    private let error: APIError

    /// Creates the data source of a resource whose API cannot be used.
    ///
    /// - Parameter catalog: the file name of the catalog, for the error message.
    public init(resource: ResourceDefinition, api: APIDefinition, catalog: String) {
        var error = APIError(.unauthorized, Self.reason(api, in: catalog))
        error.api = api.name
        error.resource = resource.name
        error.attempts = 0
        error.isMissingConfiguration = true
        self.error = error
    }

    /// Returns the error message for an API that cannot be used. It lists at most five missing values, and where the
    /// catalog refers to each.
    public static func reason(_ api: APIDefinition, in catalog: String) -> String {
        let listed = api.missingValues.prefix(5).map { absence in
            "\(absence.message) (\(absence.place.text(in: catalog)))"
        }
        let more = api.missingValues.count - listed.count
        return "the API '\(api.name)' is not configured: " + listed.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }

    public var maxIDs: Int? { nil }

    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract { self }
    public func syncing(_: SyncRequests) -> any RemoteDataSourceContract { self }

    public func initialToken() async throws(APIError) -> PageToken? { throw error }

    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        throw error
    }

    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { throw error }

    public func page(_ request: PageRequest, since validators: Validators?) async throws(APIError) -> RemotePage {
        throw error
    }

    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview { throw error }
}
