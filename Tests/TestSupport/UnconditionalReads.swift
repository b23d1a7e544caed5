import DataSources
import Model

/// For tests that have nothing to compare with.
extension RemoteDataSourceContract {
    /// One item, whatever was known before.
    public func item(_ id: String) async throws(APIError) -> ItemDTO { try await item(id, since: nil).dto() }

    /// One page, whatever was known before.
    public func page(_ request: PageRequest) async throws(APIError) -> PageDTO {
        try await page(request, since: nil).dto()
    }
}

extension RemoteAnswer {
    fileprivate func dto() throws(APIError) -> DTO {
        guard case .changed(let dto, _) = self else {
            throw APIError(.invalidResponse, "nothing was asked that could be unchanged")
        }
        return dto
    }
}
