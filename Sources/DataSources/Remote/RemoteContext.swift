import Catalog
import JSON
import Model

/// The API, resource and scope of a remote data source. Its functions also add the names of the API and the resource to
/// errors.
// A class, because the copies of a large struct need much code.
final class RemoteContext: Sendable {
    let api: APIDefinition
    let resource: ResourceDefinition
    let redactor: Redactor
    /// The limiter that delays requests to the API; nil if there is no limit.
    let limiter: RequestLimiter?
    /// The values of the resource's scope; nil if the resource has no scope.
    let scope: ResourceScope?

    init(
        api: APIDefinition, resource: ResourceDefinition, redactor: Redactor, limiter: RequestLimiter?,
        scope: ResourceScope? = nil
    ) {
        (self.api, self.resource, self.redactor, self.limiter) = (api, resource, redactor, limiter)
        self.scope = scope
    }

    /// Returns a copy of this context with another scope.
    func scoped(_ scope: ResourceScope?) -> RemoteContext {
        RemoteContext(api: api, resource: resource, redactor: redactor, limiter: limiter, scope: scope)
    }

    /// Returns a copy of an error with the API name, the resource name, the URL and the number of attempts. Redacts
    /// secrets in the error's texts.
    ///
    /// - Parameter attempts: the number of requests that were made. It is ignored if the error already contains a
    ///   number of attempts.
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

    /// Converts an error that only means that a requested page has no items. The result is an empty page or
    /// `pastTheEnd`.
    ///
    /// - Parameters:
    ///   - isEmpty: whether the error means that no item matches the filters.
    ///   - isDeclaredEnd: whether the catalog declares that this error means a page past the end of the list.
    /// - Throws: `error`, if it means neither an empty page nor a page past the end.
    func page(
        _ error: APIError, _ request: PageRequest, _ list: ListDefinition, isEmpty: Bool, isDeclaredEnd: Bool
    ) throws(APIError) -> RemotePage {
        let isFirst = request.page == list.firstPage || request.page == .first
        guard isEmpty || isDeclaredEnd && !isFirst else {
            return try RemotePage(error, on: request.page, first: list.firstPage)
        }
        let reader = ListReader(url: error.url ?? "", attempts: error.attempts ?? 0, redactor: redactor)
        return .page(reader.emptyPage(request, of: list), nil)
    }

    /// Returns the error for an operation that the catalog does not declare.
    func unsupported(_ operation: String) -> APIError {
        complete(
            APIError(
                .invalidRequest,
                "the catalog has no operation '\(operation)' for '\(resource.name)'; add it to the catalog"), url: nil,
            attempts: 0)
    }

    /// Finds the item with the given id in the API's answer to a `getMany` request. Returns nil if the item is missing.
    /// If the answer contains only one object and no id, returns this object.
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
