import Catalog
import JSON
import Model
import System

/// Fetches the items of one resource from a GraphQL API. Requests and results contain no validators (`ETag`,
/// `Last-Modified`), because a GraphQL request is a POST, which cannot be conditional.
// A class, because the copies of a large struct need much code.
public final class GraphQLDataSource: RemoteDataSourceContract {
    private static let prefix = "data."

    private let context: RemoteContext
    private let operations: Operations<GraphQLTemplate>
    private let client: any GraphQLClientContract
    private let errorMapper: GraphQLErrorMapper
    /// The URL of the endpoint, with secrets redacted.
    private let url: String

    /// Creates the data source of a resource whose transport is `graphql`.
    ///
    /// - Parameter path: the path of the endpoint, relative to the API's base URL.
    public init(
        resource: ResourceDefinition, path: String, operations: Operations<GraphQLTemplate>, api: APIDefinition,
        client: any GraphQLClientContract, redactor: Redactor, limiter: RequestLimiter? = nil
    ) {
        context = RemoteContext(api: api, resource: resource, redactor: redactor, limiter: limiter)
        self.operations = operations
        self.client = client
        errorMapper = GraphQLErrorMapper(redactor: redactor)
        url = redactor.redact(api.effectiveBaseURL + path)
    }

    private init(_ other: GraphQLDataSource, scope: ResourceScope?, _ operations: Operations<GraphQLTemplate>) {
        context = other.context.scoped(scope)
        self.operations = operations
        (client, errorMapper, url) = (other.client, other.errorMapper, other.url)
    }

    /// Returns a copy of the data source that is limited to one scope of the resource, such as the issues of one
    /// repository.
    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract {
        GraphQLDataSource(self, scope: scope, operations)
    }

    /// Returns a copy of the data source for syncs. Its page requests follow the catalog's `sync` declaration.
    public func syncing(_ requests: SyncRequests) -> any RemoteDataSourceContract {
        GraphQLDataSource(self, scope: context.scope, operations.syncing(requests))
    }

    /// Always returns nil. Only REST data sources have a separate request for the first token of a list's changes.
    public func initialToken() async throws(APIError) -> PageToken? { nil }

    /// The maximum number of items that one request can fetch; nil if the catalog declares no `getMany`.
    public var maxIDs: Int? { operations.getMany?.kind.maxIDs }

    /// Fetches one item with the `get` operation. If the catalog declares no `get`, uses `getMany`.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        guard let operation = operations.get else {
            let (items, attempts) = try await several([id])
            guard let item = context.item(id, among: items) else {
                throw context.complete(
                    APIError(.notFound, "the API returned no item with this id; check the id"), url: url,
                    attempts: attempts)
            }
            return .changed(item, nil)
        }
        return try await ask(operation.template, [.init("id", variable(id))]) { (answer) throws(APIError) in
            try answer.data.withView { (view) throws(APIError) in
                let kind = GetDefinition(item: operation.kind.item.filled(id: id))
                guard let item = kind.item.select(in: view), !item.isNull else {
                    throw kind.noItem(in: view)
                }
                let path = kind.item == .whole ? "data" : Self.prefix + kind.item.path
                return .changed(
                    ItemDTO(
                        json: answer.data.part(item), key: operation.kind.key(ofID: id), path: path, url: url,
                        attempts: answer.attempts), nil)
            }
        }
    }

    /// Fetches several items with one `getMany` operation.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { try await several(ids).items }

    private func several(_ ids: [String]) async throws(APIError) -> (items: ItemDTOs, attempts: Int) {
        guard let operation = operations.getMany else { throw context.unsupported("getMany") }
        return try await ask(operation.template, [.init("ids", .list(ids.map { variable($0) }))]) {
            (answer) throws(APIError) in
            (try reader(answer).items(at: operation.kind.items, in: answer.data), answer.attempts)
        }
    }

    private func reader(_ answer: GraphQLAnswer) -> ListReader {
        ListReader(
            url: url, attempts: answer.attempts, prefix: Self.prefix,
            redactor: context.redactor)
    }

    /// Fetches one page with the `list` operation.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemotePage {
        guard let operation = operations.list else { throw context.unsupported("list") }
        let list = operation.kind
        var isDeclaredEnd = false
        do throws(APIError) {
            return try await ask(
                operation.template, variables(of: request, list), onError: { isDeclaredEnd = $0.isPastTheEnd }
            ) { (answer) throws(APIError) in
                .page(try reader(answer).page(request, of: list, in: answer.data, headers: answer.headers), nil)
            }
        } catch {
            return try context.page(error, request, list, isEmpty: false, isDeclaredEnd: isDeclaredEnd)
        }
    }

    /// Returns a preview of the request for a read, without sending the request.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        let operation: GraphQLOperation?
        switch question {
        case .item(let id):
            operation =
                operations.get.map { self.operation($0.template, [.init("id", variable(id))]) }
                ?? many([id])
        case .items(let ids): operation = many(ids)
        case .page(let page):
            if let list = operations.list {
                operation = self.operation(list.template, try variables(of: page, list.kind))
            } else {
                operation = nil
            }
        }
        guard let operation else { throw context.unsupported(question.operation) }
        let body = context.redactor.redact(String(decoding: operation.body, as: UTF8.self))
        return RemotePreview(
            method: .post, url: url, operation: try? JSONValue(parsing: body), wait: context.limiter?.wait() ?? 0)
    }

    private func many(_ ids: [String]) -> GraphQLOperation? {
        operations.getMany.map {
            self.operation($0.template, [.init("ids", .list(ids.map { variable($0) }))])
        }
    }

    /// Converts an id to a GraphQL variable. An integer id becomes a JSON number, which GraphQL accepts for both `Int`
    /// and `ID`.
    private func variable(_ id: String) -> GraphQLVariable {
        context.resource.id == .integer ? .number(id) : .string(id)
    }

    /// Creates a GraphQL operation with the given variables and the values of the scope. A scope value is left out if
    /// the GraphQL document has no variable with its name.
    private func operation(
        _ template: GraphQLTemplate, _ variables: [GraphQLOperation.Variable]
    ) -> GraphQLOperation {
        guard let scope = context.scope else {
            return GraphQLOperation(
                query: template.query, name: template.operationName, variables: variables, errors: template.errors)
        }
        let scoped = scope.values.filter { template.variables.contains($0.name) }
        return GraphQLOperation(
            query: template.query, name: template.operationName,
            variables: scoped.map { .init($0.name, GraphQLVariable($0.value)) } + variables, errors: template.errors)
    }

    /// Returns the GraphQL variables for a page request.
    private func variables(
        of request: PageRequest, _ list: ListDefinition
    ) throws(APIError) -> [GraphQLOperation.Variable] {
        do throws(APIError) {
            // A dotted name addresses a member of a variable that is an object.
            var variables = JSONObject()
            for parameter in try list.parameters(of: request) { variables.set(parameter.name, to: parameter.value) }
            return variables.members.map { .init($0.key, GraphQLVariable($0.value)) }
        } catch {
            throw context.complete(error, url: url, attempts: 0)
        }
    }

    private func ask<Answer>(
        _ template: GraphQLTemplate, _ variables: [GraphQLOperation.Variable],
        onError: (GraphQLError) -> Void = { _ in }, _ read: (GraphQLAnswer) throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        var attempts = 0
        do throws(APIError) {
            let answer: GraphQLAnswer
            do throws(GraphQLError) {
                answer = try await client.execute(operation(template, variables))
            } catch {
                onError(error)
                throw errorMapper.map(error)
            }
            attempts = answer.attempts
            return try await LargeBodies.reading(answer.data.size) { () throws(APIError) in try read(answer) }
        } catch {
            throw context.complete(error, url: url, attempts: attempts)
        }
    }
}
