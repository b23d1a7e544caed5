import Catalog
import DataSources
import HTTP
import Model
import System
import TestSupport

/// The Rick and Morty API over one of its transports: the catalog for it, and what it answered once.
///
/// `Fixtures/rest` and `Fixtures/graphql` have the bodies, of the same names, as the API sent them; those of
/// `_without_optionals` and `_new_values` were changed by hand.
public enum RickAndMorty: String, CaseIterable, Sendable {
    case rest, graphql

    /// The API's resources.
    public static let resources = ["character", "location", "episode"]

    /// The catalog that comes with Larder for this transport.
    public func catalog() throws -> Catalog {
        switch self {
        case .rest: try ShippedCatalog.builtIn.decode()
        case .graphql:
            try CatalogDecoder.decode(Fixture.read("catalogs/rickandmorty-graphql.jsonc"), secrets: .empty)
        }
    }

    /// A resource of the catalog.
    ///
    /// - Throws: `Missing` where it has none of the name.
    public func resource(_ name: String) throws -> ResourceDefinition {
        guard let resource = try catalog().resources.first(where: { $0.name == name }) else {
            throw Missing(resource: name)
        }
        return resource
    }

    /// There is no resource of that name.
    public struct Missing: Error {
        let resource: String
    }

    /// A response with the body of a fixture: `character_list` is `Fixtures/rest/character_list.json`.
    ///
    /// - Throws: `FileError` with the path of a fixture that is not there.
    public func response(_ fixture: String) throws(FileError) -> HTTPResponse {
        let body = try Fixture.read("\(rawValue)/\(fixture).json")
        return HTTPResponse(status: self == .rest && fixture.hasSuffix("not_found") ? 404 : 200, body: body)
    }

    /// The data source of a resource over a client.
    public func source(
        of name: String, _ client: any HTTPClientContract
    ) throws -> any RemoteDataSourceContract {
        let (catalog, resource) = (try catalog(), try resource(name))
        let api = catalog.apis[0]
        let redactor = Redactor.none
        switch resource.transport {
        case .rest(let operations):
            return RESTDataSource(
                resource: resource, operations: operations, api: api, client: client, redactor: redactor)
        case .graphql(let path, let operations):
            return GraphQLDataSource(
                resource: resource, path: path, operations: operations, api: api,
                client: GraphQLClient(client: client, api: api, path: path), redactor: redactor)
        }
    }

    /// The data source of a resource that gets one fixture for whatever it asks.
    public func source(of name: String, answering fixture: String) throws -> any RemoteDataSourceContract {
        try source(of: name, HTTPClientMock(.success(response(fixture))))
    }
}
