import DataSources
import System

/// Stands behind `RecentSearchesDataSourceContract`: records its calls and answers as told.
///
/// Until it is configured every call that may fail does so, and says why.
public final class RecentSearchesDataSourceMock: RecentSearchesDataSourceContract {
    /// One call with its arguments.
    public enum Call: Equatable, Sendable {
        case list(scope: String)
        case add(String, scope: String)
        case remove(String, scope: String)
        case clear(scope: String)
        case close
    }

    private struct State {
        var result: Result<[String], LocalDataError> = .failure(
            LocalDataError("RecentSearchesDataSourceMock is not configured"))
        var calls: [Call] = []
    }

    private let state = Lock(State())

    /// A mock that is not configured.
    public init() {}

    /// The calls so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Answers from now on with this result.
    public func set(_ result: Result<[String], LocalDataError>) { state.withLock { $0.result = result } }

    /// What it was told to answer.
    public func list(scope: String) async throws(LocalDataError) -> [String] {
        try note(.list(scope: scope)).get()
    }

    /// What it was told to answer.
    public func add(_ text: String, scope: String) async throws(LocalDataError) -> [String] {
        try note(.add(text, scope: scope)).get()
    }

    /// What it was told to answer.
    public func remove(_ text: String, scope: String) async throws(LocalDataError) -> [String] {
        try note(.remove(text, scope: scope)).get()
    }

    /// What it was told to answer.
    public func clear(scope: String) async throws(LocalDataError) -> [String] {
        try note(.clear(scope: scope)).get()
    }

    /// Is noted.
    public func close() async { _ = note(.close) }

    private func note(_ call: Call) -> Result<[String], LocalDataError> {
        state.withLock { state in
            state.calls.append(call)
            return state.result
        }
    }
}
