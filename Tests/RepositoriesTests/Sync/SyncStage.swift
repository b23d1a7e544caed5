import DataSources
import Mocks
import System
import TestSupport

@testable import Model
@testable import Repositories

/// The list that the remote of a sync test returns, in pages.
struct ServedList: Sendable {
    var ids: [Int] = []
    /// The number of items on a page.
    var size = 2
    /// The names of items that are not called `new`.
    var names: [Int: String] = [:]
    /// The reported number of items; nil if the list does not report it.
    var count: Int?
    /// Whether pages have cursors instead of numbers. The cursor of the page that starts at the third item is `c2`.
    var hasCursors = false
    /// Items that do not match the catalog.
    var invalid: Set<Int> = []
    /// The errors that replace pages, by the number of the page. Pages are counted from 1.
    var errors: [Int: APIError] = [:]

    static let cursors = Declaration(pagination: #"{"style": "cursor", "param": "c", "next": "next"}"#)

    init(_ ids: some Sequence<Int>) { self.ids = Array(ids) }

    /// Returns the token of the page that starts at an item.
    private func token(_ start: Int) -> PageToken { hasCursors ? .opaque("c\(start)") : .number(start / size + 1) }

    func page(_ token: PageToken) throws -> Result<PageDTO, APIError> {
        let starts = [0] + Array(stride(from: size, to: ids.count, by: size))
        guard let start = starts.first(where: { token == ($0 == 0 && hasCursors ? .first : self.token($0)) }) else {
            return .failure(APIError(.notFound, "past the end", status: 404))
        }
        if let error = errors[start / size + 1] { return .failure(error) }
        let items = try ids[start..<min(start + size, ids.count)].map { id in
            try invalid.contains(id)
                ? Stage.dto(#"{"id":\#(id),"name":7}"#) : Stage.dto(String(id), names[id] ?? "new")
        }
        let next = start + size < ids.count ? self.token(start + size) : nil
        return .success(PageDTO(items: items, info: PageInfoDTO(current: token, count: count, next: next)))
    }
}

extension Stage {
    /// Gives the remote a list. Calls for single items fail with 404.
    func serve(_ list: ServedList) {
        remote.setPage { request in
            (try? list.page(request.page)) ?? .failure(RemoteDataSourceMock.notConfigured)
        }
        remote.setItem { _ in .failure(Self.notFound) }
        remote.setItems { _ in .success([]) }
    }

    /// Gives the remote a list with the given ids. Calls for single items fail with 404.
    func serveList(_ ids: some Sequence<Int>, _ change: (inout ServedList) -> Void = { _ in }) {
        var list = ServedList(ids)
        change(&list)
        serve(list)
    }

    static let notFound = APIError(.notFound, "no such thing", status: 404)
    static let failure = APIError(.network, "reset")

    /// Runs a sync, a second after the last one.
    @discardableResult
    func sync(
        _ change: (inout SyncRequest) -> Void = { _ in }, onPage: @Sendable (Int) -> Void = { _ in }
    ) async throws -> SyncAnswer {
        clock.advance(milliseconds: 1000)
        var request = SyncRequest()
        change(&request)
        return try await repository.sync(request) { done, _ in onPage(done) }
    }

    /// Returns an item of the cache file.
    func stored(_ id: Int) async throws -> ItemEntity? { try await persistence.read(itemKey(String(id))) }

    /// Returns the given ids whose items are in the cache file.
    func stored(_ ids: some Sequence<Int>) async throws -> [Int] {
        let ids = Array(ids)
        let items = try await persistence.read(ids.map { itemKey(String($0)) })
        return zip(ids, items).filter { $1 != nil }.map(\.0)
    }

    /// The calls for single items.
    var itemCalls: [RemoteDataSourceMock.Call] {
        remote.calls.filter { if case .page = $0 { false } else { true } }
    }
}
