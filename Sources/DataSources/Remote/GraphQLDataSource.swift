import JSON

/// Asks a GraphQL API. A POST cannot be conditional: validators are not sent, and none come back.
public struct GraphQLDataSource: RemoteDataSourceContract {
    private static let prefix = "data."

    private let context: RemoteContext
    private let operations: GraphQLOperations
    private let client: any GraphQLClientContract
    private let errorMapper: GraphQLErrorMapper
    /// The endpoint, its secrets replaced.
    private let url: String

    /// The data source of a resource whose transport is `graphql`.
    public init(
        resource: ResourceDefinition, operations: GraphQLOperations, api: APIDefinition,
        client: any GraphQLClientContract, redactor: Redactor, limiter: RequestLimiter? = nil
    ) {
        context = RemoteContext(api: api, resource: resource, redactor: redactor, limiter: limiter)
        self.operations = operations
        self.client = client
        errorMapper = GraphQLErrorMapper(redactor: redactor)
        url = redactor.redact(api.reachedAt + operations.path)
    }

    /// How many items one request may ask for.
    public var maxIDs: Int? { operations.getMany?.maxIDs }

    /// Asks for one item by the `get` operation, or by `getMany` where there is none.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        guard let operation = operations.get else {
            let (items, attempts) = try await several([id])
            guard let first = items.first else {
                throw context.complete(
                    APIError(.notFound, "the API has no such thing"), url: url, attempts: attempts)
            }
            return .changed(first, nil)
        }
        return try await ask(operation, [.init("id", variable(id))]) { (answer) throws(APIError) in
            try answer.data.withView { (view) throws(APIError) in
                guard let item = operation.item.select(in: view), !item.isNull else {
                    throw APIError(.notFound, "the answer has no item at '\(operation.item.path)'")
                }
                let path = operation.item == .whole ? "data" : Self.prefix + operation.item.path
                return .changed(
                    ItemDTO(json: answer.data.part(item), path: path, url: url, attempts: answer.attempts), nil)
            }
        }
    }

    /// Asks for several items by the `getMany` operation.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { try await several(ids).items }

    private func several(_ ids: [String]) async throws(APIError) -> (items: ItemDTOs, attempts: Int) {
        guard let operation = operations.getMany else { throw context.unsupported("getMany") }
        return try await ask(operation, [.init("ids", .list(ids.map { variable($0) }))]) { (answer) throws(APIError) in
            (try reader(operation.list, answer).items(in: answer.data), answer.attempts)
        }
    }

    private func reader(_ list: ListDefinition, _ answer: GraphQLAnswer) -> ListReader {
        ListReader(list: list, url: url, attempts: answer.attempts, prefix: Self.prefix)
    }

    /// Asks for a page by the `list` operation.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemoteAnswer<PageDTO> {
        guard let operation = operations.list else { throw context.unsupported("list") }
        return try await ask(operation, variables(of: request, operation.list)) { (answer) throws(APIError) in
            .changed(try reader(operation.list, answer).page(request, in: answer.data), nil)
        }
    }

    /// The operation that would be sent.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        let operation: GraphQLOperation? =
            switch question {
            case .item(let id):
                if let get = operations.get {
                    GraphQLOperation(query: get.query, variables: [.init("id", variable(id))])
                } else {
                    many([id])
                }
            case .items(let ids): many(ids)
            case .page(let page):
                operations.list.map {
                    GraphQLOperation(query: $0.query, variables: variables(of: page, $0.list))
                }
            }
        guard let operation else { throw context.unsupported(question.operation) }
        let body = context.redactor.redact(String(decoding: operation.body, as: UTF8.self))
        return RemotePreview(
            method: .post, url: url, operation: try? JSONValue(parsing: body), wait: context.limiter?.wait() ?? 0)
    }

    private func many(_ ids: [String]) -> GraphQLOperation? {
        operations.getMany.map {
            GraphQLOperation(query: $0.query, variables: [.init("ids", .list(ids.map { variable($0) }))])
        }
    }

    /// An integer id goes as a number: that fits variables of type `Int` and of type `ID`.
    private func variable(_ id: String) -> GraphQLVariable {
        context.resource.id == .integer ? .number(id) : .string(id)
    }

    private func variables(of request: PageRequest, _ list: ListDefinition) -> [GraphQLOperation.Variable] {
        var variables: [GraphQLOperation.Variable] = []
        if let pagination = list.pagination, case .number(let number) = request.page {
            variables.append(.init(pagination.parameter, .int(number)))
        }
        for filter in request.filters {
            guard let name = list.filters.first(where: { $0.name == filter.name })?.parameter else { continue }
            variables.append(.init(name, GraphQLVariable(filter.value)))
        }
        return variables
    }

    private func ask<Answer>(
        _ operation: GraphQLOperationDefinition, _ variables: [GraphQLOperation.Variable],
        _ read: (GraphQLAnswer) throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        var attempts = 0
        do throws(APIError) {
            let answer: GraphQLAnswer
            do throws(GraphQLError) {
                answer = try await client.execute(GraphQLOperation(query: operation.query, variables: variables))
            } catch {
                throw errorMapper.map(error)
            }
            attempts = answer.attempts
            return try await LargeBodies.reading(answer.data.size) { () throws(APIError) in try read(answer) }
        } catch {
            throw context.complete(error, url: url, attempts: attempts)
        }
    }
}
