import JSON

/// Asks a REST API.
public struct RESTDataSource: RemoteDataSourceContract {
    private let context: RemoteContext
    private let operations: RESTOperations
    private let client: any HTTPClientContract
    private let errorMapper = HTTPErrorMapper()

    /// The data source of a resource whose transport is `rest`.
    public init(
        resource: ResourceDefinition, operations: RESTOperations, api: APIDefinition, client: any HTTPClientContract,
        redactor: Redactor
    ) {
        context = RemoteContext(api: api, resource: resource, redactor: redactor)
        self.operations = operations
        self.client = client
    }

    /// How many items one request may ask for.
    public var maxIDs: Int? { operations.getMany?.maxIDs }

    /// Asks for one item by the `get` operation, or by `getMany` where there is none.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        guard let operation = operations.get else {
            guard let first = try await items([id]).first else {
                let url = operations.getMany.flatMap { try? request($0, ids: [id]).url }
                throw context.complete(APIError(.notFound, "the API has no such thing"), url: url)
            }
            return .changed(first, nil)
        }
        return try await ask(operation, ids: [id]) { (answer, url) throws(APIError) in
            try answer.withView { (view) throws(APIError) in
                guard let item = operation.item.select(in: view), !item.isNull else {
                    throw APIError(.notFound, "the answer has no item at '\(operation.item.path)'")
                }
                return .changed(ItemDTO(json: answer.part(item), path: operation.item.path, url: url), nil)
            }
        }
    }

    /// Asks for several items by the `getMany` operation.
    public func items(_ ids: [String]) async throws(APIError) -> [ItemDTO] {
        guard let operation = operations.getMany else { throw context.unsupported("getMany") }
        do throws(APIError) {
            return try await ask(operation, ids: ids) { (answer, url) throws(APIError) in
                if ids.count == 1, let only = Self.onlyItem(of: answer, operation.list, url: url) { return [only] }
                return try ListReader(list: operation.list, url: url).items(in: answer)
            }
        } catch {
            if error.kind == .notFound { return [] }
            throw error
        }
    }

    /// Asks for a page by the `list` operation.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemoteAnswer<PageDTO> {
        guard let operation = operations.list else { throw context.unsupported("list") }
        do throws(APIError) {
            return try await ask(operation, query: query(of: request, operation.list)) {
                (answer, url) throws(APIError) in
                .changed(try ListReader(list: operation.list, url: url).page(request, in: answer), nil)
            }
        } catch {
            if error.status == 404, operation.list.emptyOnNotFound, !request.filters.isEmpty {
                return .changed(ListReader(list: operation.list, url: error.url ?? "").empty(request), nil)
            }
            throw error
        }
    }

    /// Some APIs answer one id with the item itself, not with an array of one.
    private static func onlyItem(of answer: JSONPart, _ list: ListDefinition, url: String) -> ItemDTO? {
        answer.withView { view in
            guard let found = list.items.select(in: view), found.kind == .object else { return nil }
            return ItemDTO(json: answer.part(found), path: list.items.path, url: url)
        }
    }

    private func query(of request: PageRequest, _ list: ListDefinition) -> [QueryItem] {
        var query: [QueryItem] = []
        if let pagination = list.pagination, case .number(let number) = request.page {
            query.append(QueryItem(pagination.parameter, String(number)))
        }
        for filter in request.filters {
            guard let parameter = list.filters.first(where: { $0.name == filter.name })?.parameter else { continue }
            query.append(QueryItem(parameter, filter.value.plainText))
        }
        return query
    }

    private func ask<Answer>(
        _ operation: RESTOperation, ids: [String] = [], query: [QueryItem] = [],
        _ read: (JSONPart, _ url: String) throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        var url: String?
        do throws(APIError) {
            let answer = try await answer(operation, ids: ids, query: query, url: &url)
            return try read(answer, context.redactor.redact(url ?? ""))
        } catch {
            throw context.complete(error, url: url)
        }
    }

    private func request(
        _ operation: RESTOperation, ids: [String], query: [QueryItem] = []
    ) throws(HTTPError) -> HTTPRequest {
        let endpoint = Endpoint(
            path: try operation.path.path(ids: ids), query: operation.query + query, headers: operation.headers)
        return endpoint.request(to: context.api)
    }

    private func answer(
        _ operation: RESTOperation, ids: [String], query: [QueryItem], url: inout String?
    ) async throws(APIError) -> JSONPart {
        let response: HTTPResponse
        do throws(HTTPError) {
            let request = try request(operation, ids: ids, query: query)
            url = request.url
            response = try await client.send(request)
            guard (200...299).contains(response.status) else { throw HTTPError.status(response) }
            if response.body.isEmpty { throw HTTPError.emptyBody }
        } catch {
            throw errorMapper.map(error)
        }
        do throws(JSONFault) {
            return try JSONDocument(response.body).root
        } catch {
            throw APIError(.decodingFailed, "the body is not JSON: \(error.description(in: response.body))", path: "")
        }
    }
}

extension JSONValue {
    /// A filter's value as a query parameter has it.
    fileprivate var plainText: String {
        if case .string(let text) = self { text } else { text }
    }
}
