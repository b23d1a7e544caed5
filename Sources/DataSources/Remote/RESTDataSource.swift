import Catalog
import HTTP
import JSON
import Model
import System

/// Fetches the items of one resource from a REST API.
// A class, because the copies of a large struct need much code.
public final class RESTDataSource: RemoteDataSourceContract {
    private let context: RemoteContext
    private let operations: Operations<RESTTemplate>
    private let client: any HTTPClientContract
    private let errorMapper: HTTPErrorMapper
    /// The converter that checks and resolves the page URLs in the API's answers.
    private let links: PageLinks

    /// Creates the data source of a resource whose transport is `rest`.
    public init(
        resource: ResourceDefinition, operations: Operations<RESTTemplate>, api: APIDefinition,
        client: any HTTPClientContract, redactor: Redactor, limiter: RequestLimiter? = nil
    ) {
        context = RemoteContext(api: api, resource: resource, redactor: redactor, limiter: limiter)
        self.operations = operations
        self.client = client
        errorMapper = HTTPErrorMapper(redactor: redactor)
        links = PageLinks(api, operations.list?.template, redactor)
    }

    private init(_ other: RESTDataSource, scope: ResourceScope?, _ operations: Operations<RESTTemplate>) {
        context = other.context.scoped(scope)
        self.operations = operations
        (client, errorMapper) = (other.client, other.errorMapper)
        links = PageLinks(context.api, operations.list?.template, context.redactor)
    }

    /// Returns a copy of the data source that is limited to one scope of the resource, such as the issues of one
    /// repository.
    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract {
        RESTDataSource(self, scope: scope, operations)
    }

    /// Returns a copy of the data source for syncs. Its page requests follow the catalog's `sync` declaration.
    public func syncing(_ requests: SyncRequests) -> any RemoteDataSourceContract {
        RESTDataSource(self, scope: context.scope, operations.syncing(requests))
    }

    /// Fetches the token for a list's first request for changes, with the request that the catalog declares as
    /// `initial` in `sync`. Returns nil if the catalog declares no such request.
    public func initialToken() async throws(APIError) -> PageToken? {
        guard let sync = operations.sync, let template = sync.initial,
            let selector = sync.definition.token?.initialSelector
        else { return nil }
        let answer = try await ask(template) { (answer) throws(APIError) -> PageToken in
            let list = ListAnswer(
                page: .first, isFiltered: false, items: ItemDTOs([]), body: answer.json, headers: answer.headers,
                prefix: "")
            guard let token = try answer.reader.checked(try ChangeTokenSource(place: .answer(selector)).token(in: list))
            else {
                throw APIError(
                    .decodingFailed,
                    "the answer to the request 'initial' of 'sync' has no token at \(list.missingSelectors.joined()); "
                        + "correct 'initial'")
            }
            return token
        }
        // The API cannot answer an unconditional request with status 304.
        if case .changed(let token, _) = answer { return token }
        return nil
    }

    /// The maximum number of items that one request can fetch; nil if the catalog declares no `getMany`.
    public var maxIDs: Int? { operations.getMany?.kind.maxIDs }

    /// Fetches one item with the `get` operation. If the catalog declares no `get`, uses `getMany`.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        guard let operation = operations.get else { return .changed(try await single(id), nil) }
        return try await ask(operation.template, ids: [id], since: validators) { (answer) throws(APIError) in
            try self.item(id, operation.kind, in: answer)
        }
    }

    /// Returns the item in the answer to a `get` request.
    private func item(_ id: String, _ get: GetDefinition, in answer: RESTAnswer) throws(APIError) -> ItemDTO {
        try answer.json.withView { (view) throws(APIError) in
            let filled = GetDefinition(item: get.item.filled(id: id))
            let item = filled.item.select(in: view)
            if !looksLikeItem(item), let error = errorMapper.error(in: view) { throw error }
            guard let item, !item.isNull else { throw filled.noItem(in: view) }
            return ItemDTO(
                json: answer.json.part(item), key: get.key(ofID: id), path: filled.item.path, url: answer.url,
                attempts: answer.attempts)
        }
    }

    /// Fetches one item with the `getMany` operation.
    private func single(_ id: String) async throws(APIError) -> ItemDTO {
        let (items, attempts) = try await several([id])
        if let item = context.item(id, among: items) { return item }
        let url = operations.getMany.flatMap { try? request($0.template, ids: [id]).url }
        throw context.complete(
            APIError(.notFound, "the API returned no item with this id; check the id"), url: url, attempts: attempts)
    }

    /// Returns whether a JSON value may be an item. Some APIs answer with an error message and a 2xx status instead of
    /// an item.
    // If all fields of the resource are optional, at least one field must be present. The item mapper checks required
    // fields later.
    private func looksLikeItem(_ item: JSONView?) -> Bool {
        guard let item, !item.isNull else { return false }
        guard let fields = context.resource.fields else {
            return context.resource.idSource.from[.get].contains { $0.select(in: item) != nil }
        }
        return fields.contains { field in
            // A field that repeats the requested id gives no information about the answer.
            let isGiven = context.resource.hasDeclaredIDSource && field.name == "id" && !field.hasOwnSelector
            return !field.type.isOptional && !isGiven
                || field.from[.get].select(in: item).map { !$0.isNull } ?? false
        }
    }

    /// Fetches several items with one `getMany` operation.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs { try await several(ids).items }

    // Not inlined, so that `item` needs no memory for the variables of this function.
    @inline(never)
    private func several(_ ids: [String]) async throws(APIError) -> (items: ItemDTOs, attempts: Int) {
        guard let operation = operations.getMany else { throw context.unsupported("getMany") }
        do throws(APIError) {
            let answer = try await ask(operation.template, ids: ids) { (answer) throws(APIError) in
                if ids.count == 1, let only = Self.onlyItem(of: answer, at: operation.kind.items) {
                    return (ItemDTOs([only]), answer.attempts)
                }
                return (try answer.reader.items(at: operation.kind.items, in: answer.json), answer.attempts)
            }
            // The API cannot answer an unconditional request with status 304.
            guard case .changed(let found, _) = answer else { return (ItemDTOs([]), 0) }
            return found
        } catch {
            if error.kind == .notFound { return (ItemDTOs([]), error.attempts ?? 0) }
            throw error
        }
    }

    /// Fetches one page with the `list` operation.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemotePage {
        guard let operation = operations.list else { throw context.unsupported("list") }
        let list = operation.kind
        var isDeclaredEnd = false
        do throws(APIError) {
            let place = try place(of: request, operation)
            let answer = try await ask(
                operation.template, place.parameters, filters: request.filters.map(\.name), at: place.url,
                since: validators, onError: { isDeclaredEnd = $0.isPastTheEnd }
            ) { (answer) throws(APIError) in
                try answer.reader.page(
                    request, of: list, in: answer.json, headers: answer.headers,
                    links: ListAnswer.Links(links: links, request: answer.asked))
            }
            return RemotePage(answer)
        } catch {
            // If the API refuses a request for changes, the reason is never that no item matches the filters.
            let isNothing =
                list.emptyOnNotFound && !request.filters.isEmpty && !request.asksForChanges && error.isNothing
            return try context.page(error, request, list, isEmpty: isNothing, isDeclaredEnd: isDeclaredEnd)
        }
    }

    /// Returns a preview of the request for a read, without sending the request.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        guard let request = try request(question) else { throw context.unsupported(question.operation) }
        return RemotePreview(
            method: request.method, url: context.redactor.redact(request.url), operation: body(of: request),
            wait: context.limiter?.wait() ?? 0)
    }

    /// Returns the body of a request as JSON, for the result of `request/explain`; nil if the request has no JSON body.
    private func body(of request: HTTPRequest) -> JSONValue? {
        request.body.flatMap { try? JSONValue(parsing: context.redactor.redact(String(decoding: $0, as: UTF8.self))) }
    }

    /// Returns the HTTP request for a read. Returns nil if the catalog does not declare the operation.
    private func request(_ question: RemoteQuestion) throws(APIError) -> HTTPRequest? {
        let template: RESTTemplate?
        var (ids, parameters, filters): ([String], [ListParameter], [String]) = ([], [], [])
        var url: String?
        switch question {
        case .item(let id):
            template = operations.get?.template ?? operations.getMany?.template
            ids = [id]
        case .items(let several):
            template = operations.getMany?.template
            ids = several
        case .page(let page):
            template = operations.list?.template
            if let list = operations.list { (parameters, url) = try place(of: page, list) }
            filters = page.filters.map(\.name)
        }
        guard let template else { return nil }
        do throws(HTTPError) {
            return try request(template, ids: ids, parameters, filters: filters, at: url)
        } catch {
            throw context.complete(errorMapper.map(error), url: nil, attempts: 0)
        }
    }

    /// Returns the parameters of a page request. If the page token is a URL, also returns the URL of the page.
    private func place(
        of request: PageRequest, _ list: Operation<RESTTemplate, ListDefinition>
    ) throws(APIError) -> (parameters: [ListParameter], url: String?) {
        do throws(APIError) {
            let parameters = try list.kind.parameters(of: request)
            guard let target = try list.kind.pagination.style.target(of: request.page) else { return (parameters, nil) }
            // A page's URL replaces the query parameters of the request, but not the parameters in its body.
            let isInURL = list.template.method == .get
            return (isInURL ? [] : parameters.filter { $0.place != .query }, try links.url(of: target))
        } catch {
            throw context.complete(error, url: nil, attempts: 0)
        }
    }

    /// Returns the item of a `getMany` answer if the answer contains one object instead of an array; otherwise nil.
    /// Some APIs omit the array if only one id is requested.
    private static func onlyItem(of answer: RESTAnswer, at items: JSONSelector) -> ItemDTO? {
        answer.json.withView { view in
            guard !items.isMultiple, let found = items.select(in: view), found.kind == .object else { return nil }
            return ItemDTO(
                json: answer.json.part(found), path: items.path, url: answer.url, attempts: answer.attempts)
        }
    }

    /// Sends a request and reads the API's answer.
    ///
    /// - Parameter validators: the validators of the cached entry. They make the request conditional. The result is
    ///   `notModified` if the API answers with status 304.
    private func ask<DTO: Sendable>(
        _ template: RESTTemplate, ids: [String] = [], _ parameters: [ListParameter] = [], filters: [String] = [],
        at place: String? = nil, since validators: Validators? = nil, onError: (HTTPError) -> Void = { _ in },
        _ read: (RESTAnswer) throws(APIError) -> DTO
    ) async throws(APIError) -> RemoteAnswer<DTO> {
        var url: String?
        var attempts = 0
        do throws(APIError) {
            let response: HTTPResponse
            do throws(HTTPError) {
                let request = try request(
                    template, ids: ids, parameters, filters: filters, at: place, since: validators)
                url = request.url
                response = try await client.send(request)
                if response.status == 304, request.isConditional, let validators {
                    return .notModified(validators.renewed(by: response, without: context.redactor))
                }
                guard (200...299).contains(response.status), response.verdict == nil else {
                    throw HTTPError.status(response)
                }
                if response.body.isEmpty, !template.isLines { throw HTTPError.emptyBody(response) }
            } catch {
                onError(error)
                throw errorMapper.map(error)
            }
            attempts = response.attempts
            let dto = try await LargeBodies.reading(response.body.count) { () throws(APIError) in
                try read(
                    RESTAnswer(
                        json: try json(of: response, template), headers: response.headers,
                        url: context.redactor.redact(url ?? ""), asked: url ?? "", attempts: attempts,
                        redactor: context.redactor))
            }
            return .changed(dto, Validators(of: response, without: context.redactor))
        } catch {
            throw context.complete(error, url: url, attempts: attempts)
        }
    }

    private func request(
        _ template: RESTTemplate, ids: [String], _ parameters: [ListParameter] = [], filters: [String] = [],
        at url: String? = nil, since validators: Validators? = nil
    ) throws(HTTPError) -> HTTPRequest {
        let values = PlaceholderValues(ids: ids, join: template.join, context.resource.id, scope: context.scope)
        let place = url.map { RESTTemplate.Place(url: $0, constants: links.secretNames) }
        do throws(TemplateError) {
            return try template.endpoint(values, parameters, filters: filters, at: place, since: validators)
                .request(to: context.api)
        } catch {
            throw .invalidURL(error.message)
        }
    }

    private func json(of response: HTTPResponse, _ template: RESTTemplate) throws(APIError) -> JSONPart {
        if template.isLines { return try JSONLines.array(of: response) }
        do throws(JSONFault) {
            return try response.json().root
        } catch {
            let reason = error.description(in: response.body)
            throw APIError(
                .decodingFailed, "the API's answer is not JSON: \(reason); check the path in the catalog", path: "")
        }
    }
}

extension PageLinks {
    /// Creates the converter for the page URLs in the API's answers to a `list` request.
    fileprivate init(_ api: APIDefinition, _ list: RESTTemplate?, _ redactor: Redactor) {
        self.init(api, constants: list?.query ?? [], method: list?.method ?? .get, redactor: redactor)
    }
}

extension PageRequest {
    /// Whether the request asks for the changes of a list.
    fileprivate var asksForChanges: Bool { filters.contains { $0.name == SyncDefinition.filter } }
}

extension APIError {
    /// Whether the error means that a list does not exist or is empty.
    fileprivate var isNothing: Bool {
        self.kind == .notFound && (self.status == 404 || (200...299).contains(self.status ?? 0))
    }
}
