import Catalog
import DataSources
import Model
import TestSupport

/// A remote data source with configured answers. It records its calls.
public final class RemoteDataSourceMock: RemoteDataSourceContract {
    /// A recorded call with its argument.
    public enum Call: Equatable, Sendable {
        case item(String)
        case items([String])
        case page(PageRequest)
    }

    /// The function that answers calls for one item.
    public typealias ItemAnswer = @Sendable (String) -> Result<ItemDTO, APIError>
    /// The function that answers calls for several items.
    public typealias ItemsAnswer = @Sendable ([String]) -> Result<[ItemDTO], APIError>
    /// The function that answers calls for a page.
    public typealias PageAnswer = @Sendable (PageRequest) -> Result<PageDTO, APIError>

    private struct State {
        var item: ItemAnswer = { _ in .failure(RemoteDataSourceMock.notConfigured) }
        var items: ItemsAnswer = { _ in .failure(RemoteDataSourceMock.notConfigured) }
        var page: PageAnswer = { _ in .failure(RemoteDataSourceMock.notConfigured) }
        var validators: Validators?
        var isUnchanged = false
        var gate: Gate?
        var refusal: APIError?
        var calls: [Call] = []
        var scopes: [ResourceScope] = []
    }

    /// The error of calls that are not configured.
    public static let notConfigured = APIError(.invalidRequest, "RemoteDataSourceMock is not configured")

    /// The maximum number of items per request; nil for no limit.
    public let maxIDs: Int?
    private let state = Watched(State())

    /// Creates a mock whose calls fail until they are configured.
    public init(maxIDs: Int? = nil) { self.maxIDs = maxIDs }

    /// The calls in the order of arrival.
    public var calls: [Call] { state.value.calls }

    /// Sets the function that answers later calls for one item.
    public func setItem(_ answer: @escaping ItemAnswer) { state.change { $0.item = answer } }

    /// Sets the function that answers later calls for several items.
    public func setItems(_ answer: @escaping ItemsAnswer) { state.change { $0.items = answer } }

    /// Sets the function that answers later calls for a page.
    public func setPage(_ answer: @escaping PageAnswer) { state.change { $0.page = answer } }

    /// Sets the validators of later items and pages.
    public func send(_ validators: Validators?) { state.change { $0.validators = validators } }

    /// Sets whether later conditional calls get "not modified" if they pass the current validators.
    public func setUnchanged(_ isUnchanged: Bool) { state.change { $0.isUnchanged = isUnchanged } }

    /// Lets all later calls fail.
    public func fail(_ error: APIError) {
        setItem { _ in .failure(error) }
        setItems { _ in .failure(error) }
        setPage { _ in .failure(error) }
    }

    /// Lets later calls of `preview` fail.
    public func refusePreviews(_ error: APIError) { state.change { $0.refusal = error } }

    /// Delays later answers until the gate is open. nil removes the delay.
    public func hold(at gate: Gate?) { state.change { $0.gate = gate } }

    /// Waits until `count` calls have arrived in total.
    public func arrived(_ count: Int) async { await state.wait { $0.calls.count >= count } }

    /// Records the scope and returns this mock.
    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract {
        state.change { $0.scopes.append(scope) }
        return self
    }

    /// Returns this mock, so that it also answers the requests of syncs.
    public func syncing(_: SyncRequests) -> any RemoteDataSourceContract { self }

    public func initialToken() async throws(APIError) -> PageToken? { nil }

    /// The recorded scopes, in order.
    public var scopes: [ResourceScope] { state.value.scopes }

    /// Returns the answer for one item that was configured at the call's arrival.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        try await remote(answer(.item(id)) { $0.item }(id).get(), since: validators)
    }

    /// Returns the answer for several items that was configured at the call's arrival.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs {
        ItemDTOs(try await answer(.items(ids)) { $0.items }(ids).get())
    }

    /// Returns the answer for a page that was configured at the call's arrival.
    public func page(
        _ request: PageRequest, since validators: Validators?
    ) async throws(APIError) -> RemotePage {
        let answer = try await answer(.page(request)) { $0.page }(request)
        do throws(APIError) {
            switch remote(try answer.get(), since: validators) {
            case .changed(let page, let validators): return .page(page, validators)
            case .notModified(let validators): return .notModified(validators)
            }
        } catch {
            // Like a data source whose lists start with page 0 or 1.
            return try RemotePage(error, on: request.page, first: request.page == .number(0) ? .number(0) : .number(1))
        }
    }

    /// Returns a preview with a URL that is never requested.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        if let refusal = state.value.refusal { throw refusal }
        return RemotePreview(method: .get, url: "https://things.test/\(question)")
    }

    private func remote<DTO>(_ dto: DTO, since known: Validators?) -> RemoteAnswer<DTO> {
        let state = state.value
        return state.isUnchanged && known != nil && known == state.validators
            ? .notModified(nil) : .changed(dto, state.validators)
    }

    /// Records the call, picks the current answer, and waits at the gate.
    private func answer<Answer: Sendable>(
        _ call: Call, _ pick: (State) -> Answer
    ) async throws(APIError) -> Answer {
        let (answer, gate) = state.change { state in
            state.calls.append(call)
            return (pick(state), state.gate)
        }
        do {
            try await gate?.wait()
        } catch {
            throw APIError(.cancelled, "the caller left")
        }
        return answer
    }
}
