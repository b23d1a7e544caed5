import Catalog
import HTTP
import JSON
import System

/// A client of one GraphQL endpoint. It sends each operation as a POST with a JSON body (GraphQL over HTTP).
public struct GraphQLClient: GraphQLClientContract {
    private let client: any HTTPClientContract
    private let api: APIDefinition
    private let path: String

    /// Creates a client of an endpoint.
    ///
    /// - Parameter path: the path of the endpoint, relative to the API's base URL.
    public init(client: any HTTPClientContract, api: APIDefinition, path: String) {
        self.client = client
        self.api = api
        self.path = path
    }

    /// Sends a GraphQL operation and returns the `data` of the answer.
    ///
    /// - Throws: `GraphQLError` if the operation fails, or if the answer contains `errors` in addition to `data`.
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer {
        let endpoint = Endpoint(
            method: .post, path: path, body: operation.body, isRepeatable: operation.isQuery,
            errors: operation.errors)
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await client.send(endpoint.request(to: api))
        } catch {
            throw .http(error)
        }
        do throws(GraphQLError.Reason) {
            let data = try await LargeBodies.reading(response.body.count) { () throws(GraphQLError.Reason) in
                try Self.data(of: response)
            }
            return GraphQLAnswer(data: data, headers: response.headers, attempts: response.attempts)
        } catch {
            throw GraphQLError(error, attempts: response.attempts)
        }
    }

    /// The HTTP statuses that determine the kind of an error even if the body contains `errors`.
    // The kind of an error decides whether a cached entry may be returned instead of the error.
    private static let decisiveStatuses = [401, 403, 404, 410, 429]

    private static func data(of response: HTTPResponse) throws(GraphQLError.Reason) -> JSONPart {
        let isSuccess = (200...299).contains(response.status)
        if response.verdict != nil { throw .http(.status(response)) }
        if decisiveStatuses.contains(response.status) || response.status >= 500 { throw .http(.status(response)) }
        if isSuccess, response.body.isEmpty { throw .http(.emptyBody(response)) }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try response.json()
        } catch {
            throw isSuccess ? .envelope(error.description(in: response.body)) : .http(.status(response))
        }
        let root = document.root
        return try root.withView { (view) throws(GraphQLError.Reason) in
            let errors = view["errors"].flatMap { $0.isNull ? nil : $0 }
            if isSuccess, let errors, errors.kind != .array { throw .envelope("'errors' must be an array") }
            let faults = errors.map { Self.faults(in: $0) } ?? []
            if !faults.isEmpty { throw .errors(faults) }
            guard isSuccess else { throw .http(.status(response)) }
            guard view.kind == .object else { throw .envelope("the answer must be a JSON object") }
            guard let data = view["data"], !data.isNull else { throw .missingData }
            guard data.kind == .object else { throw .envelope("'data' must be an object") }
            return root.part(data)
        }
    }

    private static func faults(in errors: JSONView) -> [GraphQLError.Fault] {
        errors.elements.map { error in
            GraphQLError.Fault(
                message: error["message"]?.string ?? "(no message)",
                path: error["path"].map { path(of: $0) } ?? "")
        }
    }

    /// Returns the path of a GraphQL error as a string, such as `characters.results[3].name`.
    private static func path(of steps: JSONView) -> String {
        steps.elements.reduce(into: "") { path, step in
            if let index = step.number {
                path += "[\(index)]"
            } else if let name = step.string {
                path += path.isEmpty ? name : ".\(name)"
            }
        }
    }
}
