import DataSources
import HTTP
import JSON
import System

/// A GraphQL client with configured results. It records all operations.
public final class GraphQLClientMock: GraphQLClientContract {
    private struct State {
        var result: Result<GraphQLAnswer, GraphQLError>
        var operations: [GraphQLOperation] = []
    }

    private let state: Lock<State>

    /// Creates a client that returns `result` for every operation.
    public init(_ result: Result<GraphQLAnswer, GraphQLError> = .failure(.http(.network("not configured")))) {
        state = Lock(State(result: result))
    }

    /// Creates a client that returns the given `data` for every operation.
    ///
    /// - Throws: `JSONFault` if the text is not JSON.
    public convenience init(data: String) throws(JSONFault) {
        self.init(.success(GraphQLAnswer(data: try JSONDocument(Array(data.utf8)).root)))
    }

    /// The operations in the order of arrival.
    public var operations: [GraphQLOperation] { state.withLock { $0.operations } }

    /// Sets the result of later operations.
    public func set(_ result: Result<GraphQLAnswer, GraphQLError>) { state.withLock { $0.result = result } }

    /// Records the operation and returns the configured result.
    ///
    /// - Throws: the configured error; `.http(.cancelled)` if the task is cancelled.
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer {
        if Task.isCancelled { throw .http(.cancelled) }
        return try state.withLock { state in
            state.operations.append(operation)
            return state.result
        }.get()
    }
}
