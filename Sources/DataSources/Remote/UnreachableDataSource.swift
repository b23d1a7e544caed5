import Catalog
import Model

/// Stands for an API that cannot be asked, because a secret or a variable of its catalog is missing: each request fails
/// and says what and where. What is cached is served all the same.
public struct UnreachableDataSource: RemoteDataSourceContract {
    private let error: APIError

    /// The data source of a resource of such an API.
    ///
    /// - Parameter catalog: the catalog's file, for the places.
    public init(resource: ResourceDefinition, api: APIDefinition, catalog: String) {
        var error = APIError(.unauthorized, Self.reason(api, in: catalog))
        error.api = api.name
        error.resource = resource.name
        error.attempts = 0
        error.isOfCatalog = true
        self.error = error
    }

    /// What is missing, and where it is declared.
    public static func reason(_ api: APIDefinition, in catalog: String) -> String {
        let told = api.absences.prefix(5).map { absence in
            "\(absence.message) (\(absence.place.text(in: catalog)))"
        }
        let more = api.absences.count - told.count
        return "the API '\(api.name)' is not asked: " + told.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }

    public var maxIDs: Int? { nil }

    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract { self }

    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        throw error
    }

    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { throw error }

    public func page(_ request: PageRequest, since validators: Validators?) async throws(APIError) -> RemotePage {
        throw error
    }

    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview { throw error }
}
