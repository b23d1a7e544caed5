import DataSources
import System

/// A mock of a recent-searches data source. It records its calls and returns the configured result.
///
/// Before `set` is called, every call that can fail fails.
public final class RecentSearchesDataSourceMock: RecentSearchesDataSourceContract {
    /// A recorded call with its arguments.
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

    /// Creates a mock whose calls fail.
    public init() {}

    /// The calls so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Sets the result of later calls.
    public func set(_ result: Result<[String], LocalDataError>) { state.withLock { $0.result = result } }

    /// Returns the configured result.
    public func list(scope: String) async throws(LocalDataError) -> [String] {
        try note(.list(scope: scope)).get()
    }

    /// Returns the configured result.
    public func add(_ text: String, scope: String) async throws(LocalDataError) -> [String] {
        try note(.add(text, scope: scope)).get()
    }

    /// Returns the configured result.
    public func remove(_ text: String, scope: String) async throws(LocalDataError) -> [String] {
        try note(.remove(text, scope: scope)).get()
    }

    /// Returns the configured result.
    public func clear(scope: String) async throws(LocalDataError) -> [String] {
        try note(.clear(scope: scope)).get()
    }

    public func close() async { _ = note(.close) }

    private func note(_ call: Call) -> Result<[String], LocalDataError> {
        state.withLock { state in
            state.calls.append(call)
            return state.result
        }
    }
}
