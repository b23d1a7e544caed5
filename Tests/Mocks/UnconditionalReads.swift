import DataSources
import Model

/// Unconditional reads, without validators.
extension RemoteDataSourceContract {
    /// Reads an item without validators.
    public func item(_ id: String) async throws(APIError) -> ItemDTO { try await item(id, since: nil).dto() }

    /// Reads a page without validators.
    ///
    /// - Throws: the API's error if the list has no such page.
    public func page(_ request: PageRequest) async throws(APIError) -> PageDTO {
        switch try await page(request, since: nil) {
        case .page(let page, _): return page
        case .pastTheEnd(let error): throw error
        case .notModified: throw .unasked
        }
    }
}

extension RemoteAnswer {
    fileprivate func dto() throws(APIError) -> DTO {
        guard case .changed(let dto, _) = self else { throw .unasked }
        return dto
    }
}

extension APIError {
    fileprivate static var unasked: APIError {
        APIError(.invalidResponse, "the answer is 'not modified', but the call had no validators")
    }
}
