import JSON

/// Asks a REST API.
public struct RESTDataSource: RemoteDataSourceContract {
    private let context: RemoteContext
    private let operations: RESTOperations
    private let client: any HTTPClientContract
    private let errorMapper: HTTPErrorMapper

    /// The data source of a resource whose transport is `rest`.
    public init(
        resource: ResourceDefinition, operations: RESTOperations, api: APIDefinition, client: any HTTPClientContract,
        redactor: Redactor, limiter: RequestLimiter? = nil
    ) {
        context = RemoteContext(api: api, resource: resource, redactor: redactor, limiter: limiter)
        self.operations = operations
        self.client = client
        errorMapper = HTTPErrorMapper(redactor: redactor)
    }

    /// How many items one request may ask for.
    public var maxIDs: Int? { operations.getMany?.maxIDs }

    /// Asks for one item by the `get` operation, or by `getMany` where there is none.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        guard let operation = operations.get else {
            let (items, attempts) = try await several([id])
            guard let first = items.first else {
                let url = operations.getMany.flatMap { try? request($0, ids: [id]).url }
                throw context.complete(
                    APIError(.notFound, "the API has no such thing"), url: url, attempts: attempts)
            }
            return .changed(first, nil)
        }
        return try await ask(operation, ids: [id], since: validators) { (answer) throws(APIError) in
            try answer.json.withView { (view) throws(APIError) in
                guard let item = operation.item.select(in: view), !item.isNull else {
                    throw APIError(.notFound, "the answer has no item at '\(operation.item.path)'")
                }
                return ItemDTO(
                    json: answer.json.part(item), path: operation.item.path, url: answer.url, attempts: answer.attempts)
            }
        }
    }

    /// Asks for several items by the `getMany` operation.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { try await several(ids).items }

    private func several(_ ids: [String]) async throws(APIError) -> (items: ItemDTOs, attempts: Int) {
        guard let operation = operations.getMany else { throw context.unsupported("getMany") }
        do throws(APIError) {
            let answer = try await ask(operation, ids: ids) { (answer) throws(APIError) in
                if ids.count == 1, let only = Self.onlyItem(of: answer, operation.list) {
                    return (ItemDTOs([only]), answer.attempts)
                }
                return (try answer.reader(operation.list).items(in: answer.json), answer.attempts)
            }
            // Without validators there is an answer, or an error.
            guard case .changed(let found, _) = answer else { return (ItemDTOs([]), 0) }
            return found
        } catch {
            if error.kind == .notFound { return (ItemDTOs([]), error.attempts ?? 0) }
            throw error
        }
    }

    /// Asks for a page by the `list` operation.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemoteAnswer<PageDTO> {
        guard let operation = operations.list else { throw context.unsupported("list") }
        do throws(APIError) {
            return try await ask(operation, query: query(of: request, operation.list), since: validators) {
                (answer) throws(APIError) in
                try answer.reader(operation.list).page(request, in: answer.json)
            }
        } catch {
            if error.status == 404, operation.list.emptyOnNotFound, !request.filters.isEmpty {
                let reader = ListReader(list: operation.list, url: error.url ?? "", attempts: error.attempts ?? 0)
                return .changed(reader.empty(request), nil)
            }
            throw error
        }
    }

    /// The URL that would be asked.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        let request: HTTPRequest?
        do throws(HTTPError) {
            request = try self.request(question)
        } catch {
            throw context.complete(errorMapper.map(error), url: nil, attempts: 0)
        }
        guard let request else { throw context.unsupported(question.operation) }
        return RemotePreview(
            method: request.method, url: context.redactor.redact(request.url), wait: context.limiter?.wait() ?? 0)
    }

    /// Nil for what the catalog does not have.
    private func request(_ question: RemoteQuestion) throws(HTTPError) -> HTTPRequest? {
        switch question {
        case .item(let id):
            guard let operation = operations.get ?? operations.getMany else { return nil }
            return try request(operation, ids: [id])
        case .items(let ids):
            guard let operation = operations.getMany else { return nil }
            return try request(operation, ids: ids)
        case .page(let page):
            guard let operation = operations.list else { return nil }
            return try request(operation, ids: [], query: query(of: page, operation.list))
        }
    }

    /// Some APIs answer one id with the item itself, not with an array of one.
    private static func onlyItem(of answer: RESTAnswer, _ list: ListDefinition) -> ItemDTO? {
        answer.json.withView { view in
            guard let found = list.items.select(in: view), found.kind == .object else { return nil }
            return ItemDTO(
                json: answer.json.part(found), path: list.items.path, url: answer.url, attempts: answer.attempts)
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

    /// Makes a request and reads its answer; with validators, the answer may be that nothing has changed.
    private func ask<DTO: Sendable>(
        _ operation: RESTOperation, ids: [String] = [], query: [QueryItem] = [], since validators: Validators? = nil,
        _ read: (RESTAnswer) throws(APIError) -> DTO
    ) async throws(APIError) -> RemoteAnswer<DTO> {
        var url: String?
        var attempts = 0
        do throws(APIError) {
            let response: HTTPResponse
            do throws(HTTPError) {
                let request = try request(operation, ids: ids, query: query, since: validators)
                url = request.url
                response = try await client.send(request)
                if response.status == 304, request.isConditional, let validators {
                    return .notModified(validators.renewed(by: response, without: context.redactor))
                }
                guard (200...299).contains(response.status) else { throw HTTPError.status(response) }
                if response.body.isEmpty { throw HTTPError.emptyBody(response) }
            } catch {
                throw errorMapper.map(error)
            }
            attempts = response.attempts
            let dto = try await LargeBodies.reading(response.body.count) { () throws(APIError) in
                try read(
                    RESTAnswer(
                        json: try json(of: response), url: context.redactor.redact(url ?? ""), attempts: attempts))
            }
            return .changed(dto, Validators(of: response, without: context.redactor))
        } catch {
            throw context.complete(error, url: url, attempts: attempts)
        }
    }

    private func request(
        _ operation: RESTOperation, ids: [String], query: [QueryItem] = [], since validators: Validators? = nil
    ) throws(HTTPError) -> HTTPRequest {
        let endpoint = Endpoint(
            path: try operation.path.path(ids: ids), query: operation.query + query, headers: operation.headers,
            validators: validators)
        return endpoint.request(to: context.api)
    }

    private func json(of response: HTTPResponse) throws(APIError) -> JSONPart {
        do throws(JSONFault) {
            return try JSONDocument(passingMark: response.body, with: response.lease).root
        } catch {
            throw APIError(.decodingFailed, "the body is not JSON: \(error.description(in: response.body))", path: "")
        }
    }
}

/// A body, and where it came from.
private struct RESTAnswer {
    let json: JSONPart
    /// The URL, its secrets replaced.
    let url: String
    /// How many requests were made for it.
    let attempts: Int

    func reader(_ list: ListDefinition) -> ListReader { ListReader(list: list, url: url, attempts: attempts) }
}

extension JSONValue {
    /// A filter's value as a query parameter has it.
    fileprivate var plainText: String {
        if case .string(let text) = self { text } else { text }
    }
}
