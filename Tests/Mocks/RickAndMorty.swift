import Catalog
import DataSources
import HTTP
import Model
import System
import TestSupport

/// The Rick and Morty API over REST or GraphQL, with its catalog and recorded responses.
///
/// `Fixtures/rest` and `Fixtures/graphql` contain bodies of the API under the same names. The bodies named
/// `..._without_optionals` and `..._new_values` were edited by hand.
public enum RickAndMorty: String, CaseIterable, Sendable {
    case rest, graphql

    /// The names of the API's resources.
    public static let resources = ["character", "location", "episode"]

    /// Returns the shipped catalog for the given transport.
    public func catalog() throws -> Catalog {
        switch self {
        case .rest: try ShippedCatalog.builtIn.decode()
        case .graphql:
            try CatalogDecoder.decode(Fixture.read("catalogs/rickandmorty-graphql.jsonc"), secrets: .empty)
        }
    }

    /// Returns a resource of the catalog.
    ///
    /// - Throws: `Missing` if there is no resource with this name.
    public func resource(_ name: String) throws -> ResourceDefinition {
        guard let resource = try catalog().resources.first(where: { $0.name == name }) else {
            throw Missing(resource: name)
        }
        return resource
    }

    /// The catalog has no resource with the given name.
    public struct Missing: Error {
        let resource: String
    }

    /// Returns a response with the body of a fixture: `character_list` is `Fixtures/rest/character_list.json`.
    ///
    /// - Throws: `FileError` with the path if the fixture cannot be read.
    public func response(_ fixture: String) throws(FileError) -> HTTPResponse {
        let body = try Fixture.read("\(rawValue)/\(fixture).json")
        return HTTPResponse(status: self == .rest && fixture.hasSuffix("not_found") ? 404 : 200, body: body)
    }

    /// Returns the data source of a resource with the given client.
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

    /// Returns the data source of a resource that gets the same fixture for every request.
    public func source(of name: String, answering fixture: String) throws -> any RemoteDataSourceContract {
        try source(of: name, HTTPClientMock(.success(response(fixture))))
    }
}
