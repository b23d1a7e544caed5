import Catalog
import JSON
import Model

/// What a remote data source knows of itself, to complete its errors with.
struct RemoteContext: Sendable {
    let api: APIDefinition
    let resource: ResourceDefinition
    let redactor: Redactor
    /// Holds requests back; nil where nothing does.
    let limiter: RequestLimiter?
    /// The values of the resource's scope; nil where it has none.
    var scope: ResourceScope?

    /// The error with the names of API and resource, the URL and the attempts, and without secrets.
    ///
    /// - Parameter attempts: how many requests were made, where the error does not say it.
    func complete(_ error: APIError, url: String?, attempts: Int) -> APIError {
        var error = error
        error.message = redactor.redact(error.message)
        error.apiMessage = error.apiMessage.map { redactor.redact($0) }
        error.path = error.path.map { redactor.redact($0) }
        error.api = api.name
        error.resource = resource.name
        error.url = url.map { redactor.redact($0) }
        error.attempts = error.attempts ?? attempts
        return error
    }

    /// The outcome of a request for a page that failed.
    ///
    /// - Parameters:
    ///   - isEmpty: whether the error means that nothing matches the filters.
    ///   - isDeclaredEnd: whether a rule of the catalog declares that the error means a page past the end.
    /// - Throws: `error`, if it means neither an empty list nor a page past the end.
    func page(
        _ error: APIError, _ request: PageRequest, _ list: ListDefinition, isEmpty: Bool, isDeclaredEnd: Bool
    ) throws(APIError) -> RemotePage {
        let isFirst = request.page == list.firstPage || request.page == .first
        guard isEmpty || isDeclaredEnd && !isFirst else {
            return try RemotePage(error, on: request.page, first: list.firstPage)
        }
        let reader = ListReader(url: error.url ?? "", attempts: error.attempts ?? 0, redactor: redactor)
        return .page(reader.nothing(request, of: list), nil)
    }

    /// The error for what the resource cannot do.
    func unsupported(_ operation: String) -> APIError {
        complete(
            APIError(.invalidRequest, "the catalog has no '\(operation)' for '\(resource.name)'"), url: nil, attempts: 0
        )
    }

    /// The one of several items that was asked for: an API may answer with others too, or with others alone. What came
    /// as an object by itself, or alone and without an id, is taken for it.
    func item(_ id: String, among items: ItemDTOs) -> ItemDTO? {
        var unnamed: ItemDTO?
        for item in items {
            if item.index == nil, item.key == nil, items.count == 1 { return item }
            let found = item.json.withView { view -> String? in
                func id(_ key: JSONView?) -> String? {
                    try? resource.idSource.id(of: view, key: key, as: resource.id, in: .getMany) { expected, _, _ in
                        APIError(.decodingFailed, expected)
                    }
                }
                guard let key = item.key else { return id(nil) }
                return key.withView { id($0) }
            }
            if found == id { return item }
            if found == nil { unnamed = item }
        }
        return items.count == 1 ? unnamed : nil
    }
}
