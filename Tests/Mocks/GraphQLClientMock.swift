import DataSources
import HTTP
import JSON
import System

/// Stands in for a GraphQL client: answers as told and keeps what it was asked.
public final class GraphQLClientMock: GraphQLClientContract {
    private struct State {
        var result: Result<GraphQLAnswer, GraphQLError>
        var operations: [GraphQLOperation] = []
    }

    private let state: Lock<State>

    /// A client that answers every operation with this result.
    public init(_ result: Result<GraphQLAnswer, GraphQLError> = .failure(.http(.network("not configured")))) {
        state = Lock(State(result: result))
    }

    /// A client that answers every operation with this `data`.
    ///
    /// - Throws: `JSONFault` where the text is not JSON.
    public convenience init(data: String) throws(JSONFault) {
        self.init(.success(GraphQLAnswer(data: try JSONDocument(Array(data.utf8)).root)))
    }

    /// The operations in the order of arrival.
    public var operations: [GraphQLOperation] { state.withLock { $0.operations } }

    /// Answers from now on with this result.
    public func set(_ result: Result<GraphQLAnswer, GraphQLError>) { state.withLock { $0.result = result } }

    /// Notes the operation and answers as told.
    ///
    /// - Throws: the configured error; `.http(.cancelled)` when the task is cancelled.
    public func execute(_ operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer {
        if Task.isCancelled { throw .http(.cancelled) }
        return try state.withLock { state in
            state.operations.append(operation)
            return state.result
        }.get()
    }
}
