import DataSources
import Model
import TestSupport

/// Stands in for a remote data source: answers as told and keeps what it was asked.
public final class RemoteDataSourceMock: RemoteDataSourceContract {
    /// One call with its argument.
    public enum Call: Equatable, Sendable {
        case item(String)
        case items([String])
        case page(PageRequest)
    }

    /// How it answers calls for one item.
    public typealias ItemAnswer = @Sendable (String) -> Result<ItemDTO, APIError>
    /// How it answers calls for several items.
    public typealias ItemsAnswer = @Sendable ([String]) -> Result<[ItemDTO], APIError>
    /// How it answers calls for a page.
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

    /// The failure of a call that was not configured.
    public static let notConfigured = APIError(.invalidRequest, "RemoteDataSourceMock is not configured")

    /// How many items one request may ask for.
    public let maxIDs: Int?
    private let state = Watched(State())

    /// A mock that fails every call until it is configured.
    public init(maxIDs: Int? = nil) { self.maxIDs = maxIDs }

    /// The calls in the order of arrival.
    public var calls: [Call] { state.value.calls }

    /// Answers calls for one item from now on with what the closure gives for the id.
    public func setItem(_ answer: @escaping ItemAnswer) { state.change { $0.item = answer } }

    /// Answers calls for several items from now on with what the closure gives for the ids.
    public func setItems(_ answer: @escaping ItemsAnswer) { state.change { $0.items = answer } }

    /// Answers calls for a page from now on with what the closure gives for the request.
    public func setPage(_ answer: @escaping PageAnswer) { state.change { $0.page = answer } }

    /// Sends these validators with every item and page from now on.
    public func send(_ validators: Validators?) { state.change { $0.validators = validators } }

    /// Says from now on that nothing has changed, to those who ask for what has changed since the validators it sends.
    public func setUnchanged(_ isUnchanged: Bool) { state.change { $0.isUnchanged = isUnchanged } }

    /// Fails every call from now on.
    public func fail(_ error: APIError) {
        setItem { _ in .failure(error) }
        setItems { _ in .failure(error) }
        setPage { _ in .failure(error) }
    }

    /// Cannot build any request that it is to show from now on.
    public func refusePreviews(_ error: APIError) { state.change { $0.refusal = error } }

    /// Holds every answer from now on until the gate is open; nil holds none.
    public func hold(at gate: Gate?) { state.change { $0.gate = gate } }

    /// Waits until this many calls have arrived in all.
    public func arrived(_ count: Int) async { await state.wait { $0.calls.count >= count } }

    /// The same mock, which keeps the scope.
    public func scoped(_ scope: ResourceScope) -> any RemoteDataSourceContract {
        state.change { $0.scopes.append(scope) }
        return self
    }

    /// The scopes that it was asked for, in their order.
    public var scopes: [ResourceScope] { state.value.scopes }

    /// Answers a call for one item as told at its arrival.
    public func item(_ id: String, since validators: Validators?) async throws(APIError) -> RemoteAnswer<ItemDTO> {
        try await remote(answer(.item(id)) { $0.item }(id).get(), since: validators)
    }

    /// Answers a call for several items as told at its arrival.
    public func items(_ ids: [String]) async throws(APIError) -> ItemDTOs {
        ItemDTOs(try await answer(.items(ids)) { $0.items }(ids).get())
    }

    /// Answers a call for a page as told at its arrival.
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
            // As a data source does whose lists begin with the page 0 or 1.
            return try RemotePage(error, on: request.page, first: request.page == .number(0) ? .number(0) : .number(1))
        }
    }

    /// A request that is never made.
    public func preview(_ question: RemoteQuestion) throws(APIError) -> RemotePreview {
        if let refusal = state.value.refusal { throw refusal }
        return RemotePreview(method: .get, url: "https://things.test/\(question)")
    }

    private func remote<DTO>(_ dto: DTO, since known: Validators?) -> RemoteAnswer<DTO> {
        let state = state.value
        return state.isUnchanged && known != nil && known == state.validators
            ? .notModified(nil) : .changed(dto, state.validators)
    }

    /// Notes the call and waits at the gate if there is one.
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
