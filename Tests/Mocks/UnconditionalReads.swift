import DataSources
import Model

/// For tests that have nothing to compare with.
extension RemoteDataSourceContract {
    /// One item, whatever was known before.
    public func item(_ id: String) async throws(APIError) -> ItemDTO { try await item(id, since: nil).dto() }

    /// One page, whatever was known before; the error of the refusal if the list has no such page.
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
        APIError(.invalidResponse, "nothing was asked that could be unchanged")
    }
}
