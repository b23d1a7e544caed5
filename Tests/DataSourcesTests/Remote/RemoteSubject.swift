import Catalog
import DataSources
import HTTP
import JSON
import Mocks
import Model

/// REST and GraphQL, each with a data source and the response bodies of the API.
enum RemoteSubject: String, CaseIterable, Sendable {
    case rest, graphql

    /// Returns a catalog of the Rick and Morty API's characters over the given transport.
    func catalog(auth: String? = nil) throws(CatalogFaults) -> Catalog {
        let pagination = { (prefix: String) in
            #"{"style": "page", "param": "page", "pages": "\#(prefix)info.pages", "count": "\#(prefix)info.count"}"#
        }
        let operations =
            switch self {
            case .rest:
                #"""
                {"get": {"path": "/api/character/{id}"}, "getMany": {"path": "/api/character/{ids}", "maxIDs": 50},
                 "list": {"path": "/api/character", "items": "results", "filters": {"name": "name"},
                          "emptyOnNotFound": true, "pagination": \#(pagination(""))}}
                """#
            case .graphql:
                #"""
                {"get": {"query": "query GetCharacter($id: ID!) { character(id: $id) { id } }", "item": "character"},
                 "getMany": {"query": "query GetCharacters($ids: [ID!]!) { charactersByIds(ids: $ids) { id } }",
                             "items": "charactersByIds", "maxIDs": 50},
                 "list": {"query": "query ListCharacters($page: Int, $name: String) { characters(page: $page) { info { pages } } }",
                          "items": "characters.results", "filters": {"name": "name"},
                          "pagination": \#(pagination("characters."))}}
                """#
            }
        let auth = auth.map { #", "auth": \#($0)"# } ?? ""
        let text = #"""
            {"larder": 1, "apis": {"rickandmorty": {"baseURL": "https://rickandmortyapi.com", "timeout": "1h"\#(auth)}},
             "resources": {"character": {"api": "rickandmorty", "id": "integer", "\#(rawValue)": \#(operations)}}}
            """#
        return try CatalogText.decode(text)
    }

    /// Returns a data source over a client, with the API's own base URL or with the given base URL.
    func source(
        _ client: any HTTPClientContract, auth: String? = nil, at origin: String? = nil
    ) throws -> any RemoteDataSourceContract {
        let declared = try catalog(auth: auth)
        let catalog = try origin.map { try declared.reached(at: [("rickandmorty", $0)]) } ?? declared
        let (api, resource) = (catalog.apis[0], catalog.resources[0])
        let redactor = Redactor(secrets: catalog.secrets)
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

    /// Returns a character as the API sends it. GraphQL ids are strings.
    func character(_ id: Int) -> String {
        let id = self == .rest ? "\(id)" : "\"\(id)\""
        return #"{"id":\#(id),"name":"Rick Sanchez","status":"Alive","origin":{"name":"Earth (C-137)"}}"#
    }

    func itemBody(_ id: Int) -> String {
        self == .rest ? character(id) : #"{"data":{"character":\#(character(id))}}"#
    }

    func itemsBody(_ ids: [Int?]) -> String {
        let items = ids.map { $0.map { character($0) } ?? "null" }.joined(separator: ",")
        return self == .rest ? "[\(items)]" : #"{"data":{"charactersByIds":[\#(items)]}}"#
    }

    func pageBody(_ ids: [Int], info: String) -> String {
        let page = #"{"info":\#(info),"results":[\#(ids.map { character($0) }.joined(separator: ","))]}"#
        return self == .rest ? page : #"{"data":{"characters":\#(page)}}"#
    }

    /// The API's answer for a missing page or item.
    var nothingThere: HTTPResponse {
        switch self {
        case .rest: .of(404, #"{"error":"There is nothing here"}"#)
        case .graphql:
            .of(
                200,
                #"{"data":{"character":null,"charactersByIds":[],"#
                    + #""characters":{"info":{"count":null,"pages":null},"results":[]}}}"#)
        }
    }

    /// Returns an answer of the Rick and Morty API that a fixture contains.
    func response(_ fixture: String) throws -> HTTPResponse {
        let api: RickAndMorty =
            switch self {
            case .rest: .rest
            case .graphql: .graphql
            }
        return try api.response(fixture)
    }

    /// The prefix of paths in errors.
    var prefix: String { self == .rest ? "" : "data.characters." }

    var itemURL: String {
        "https://rickandmortyapi.com" + (self == .rest ? "/api/character/1" : "/graphql")
    }
}

extension HTTPResponse {
    static func of(_ status: Int, _ body: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}

/// Returns the error of a call; nil if it succeeds.
func failure<Value>(of body: () async throws(APIError) -> Value) async -> APIError? {
    do throws(APIError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
