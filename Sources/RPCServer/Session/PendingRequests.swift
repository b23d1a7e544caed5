import Protocol
import System

/// All requests whose reply is still to come: the one place that knows what is in flight.
final class PendingRequests: Sendable {
    private struct State {
        var requests: [Int: PendingRequest] = [:]
        var next = 0
    }

    private let state = Monitor(State())

    /// How many requests have no answer yet.
    var unanswered: Int { state.withLock { state in state.requests.values.count { !$0.isAnswered } } }

    /// How many requests are under way.
    var count: Int { state.withLock { $0.requests.count } }

    /// Notes a request. Returns the number under which it is to be removed.
    func add(_ request: PendingRequest) -> Int {
        state.withLock { state in
            state.next += 1
            state.requests[state.next] = request
            return state.next
        }
    }

    /// Forgets a request that was answered.
    func remove(_ number: Int) {
        state.change { $0.requests[number] = nil }
    }

    /// The requests with an id, oldest first; a client may use one for several.
    func requests(with id: RequestID) -> [PendingRequest] {
        state.withLock { state in
            state.requests.filter { $0.value.id == id }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// How many requests were under way and are no more.
    var finished: Int { state.withLock { $0.next - $0.requests.count } }

    /// Waits while so many requests are in flight or more, for so many seconds at most. Returns whether there is room.
    @discardableResult
    func waitForRoom(below limit: Int, seconds: Double = .infinity) -> Bool {
        state.wait(seconds: seconds) { $0.requests.count < limit }
    }

    /// Waits until nothing is in flight, for so many seconds at most. Returns whether that is so.
    func drain(seconds: Double) -> Bool {
        state.wait(seconds: seconds) { $0.requests.isEmpty }
    }

    /// Answers everything in flight with an error and ends its work.
    ///
    /// - Parameter sparesChanges: whether to leave alone what changes something that is kept.
    func cancelAll(with error: RPCError, sparesChanges: Bool = false) {
        // The newest first: one that waits for an older one must not go on because that is cancelled.
        let requests = state.withLock { state in
            state.requests.filter { !sparesChanges || !$0.value.isChange }.sorted { $0.key > $1.key }
        }
        for (_, request) in requests { request.cancel(with: error) }
    }
}
