import Model
import System

/// Lets concurrent requests for the same key share one fetch.
///
/// A fetch is for one or more keys and runs in its own task. If a caller is cancelled, the other callers keep their
/// fetch. A fetch is cancelled if no caller waits for it any more. A failure is returned to every waiting caller and is
/// not remembered.
///
/// All state is in `InFlight`, and only `update` changes it.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, RepositoryError>

    /// A caller that waits for one or more keys.
    // Safe: only `update` uses it. A class, because the fetches of all its keys refer to it.
    private final class Caller: @unchecked Sendable {
        /// The outcomes in the order of the caller's keys. Until an outcome is known, its element is the error for a
        /// cancelled caller.
        var outcomes: [Outcome]
        /// The number of pending outcomes.
        var missing = 0
        /// The fetches that the caller waits for.
        var fetches: [Fetch] = []
        /// The continuation of the waiting caller; nil before and after the wait.
        var continuation: CheckedContinuation<[Outcome], Never>?

        init(_ count: Int) { outcomes = Array(repeating: .failure(.left), count: count) }
    }

    /// A fetch of one or more keys.
    // Safe: only `update` uses it. The exceptions `places` and `generation` do not change once the fetch has started.
    private final class Fetch: @unchecked Sendable {
        struct Wait {
            let caller: Caller
            /// The index of the key in the fetch.
            let key: Int
            /// The index of the key in the caller's request.
            let place: Int
        }

        let generation: Int
        var keys: [Key] = []
        /// The indices of the keys in the request of the caller that started the fetch.
        var places: [Int] = []
        var waits: [Wait] = []
        var task: Task<Void, Never>?
        /// Whether the fetch has ended, or no caller waits for it.
        var isOver = false

        init(_ generation: Int) { self.generation = generation }
    }

    /// All fetches under way.
    private struct InFlight {
        /// A key in one generation. The same key can be fetched in several generations at the same time.
        struct Subject: Hashable {
            let key: Key
            let generation: Int
        }

        struct Place {
            let fetch: Fetch
            /// The index of the key in the fetch.
            let key: Int
        }

        /// The fetch of each key, by generation.
        var places: [Subject: Place] = [:]

        mutating func add(_ wait: Fetch.Wait, to fetch: Fetch) {
            fetch.waits.append(wait)
            wait.caller.missing += 1
            if wait.caller.fetches.last !== fetch { wait.caller.fetches.append(fetch) }
        }

        /// Ends a fetch. No request can join it afterwards.
        mutating func end(_ fetch: Fetch) {
            fetch.isOver = true
            for key in fetch.keys { places[Subject(key: key, generation: fetch.generation)] = nil }
        }
    }

    /// The work to do after a change of the state, once the lock is released.
    private struct FollowUp {
        /// The tasks of fetches that no caller waits for any more.
        var abandoned: [Task<Void, Never>] = []
        /// The callers to resume, with their outcomes.
        var ready: [(continuation: CheckedContinuation<[Outcome], Never>, outcomes: [Outcome])] = []

        /// Ends the wait of a caller that has all outcomes. Called only in `update`.
        mutating func resume(_ caller: Caller) {
            guard caller.missing == 0, let continuation = caller.continuation else { return }
            caller.continuation = nil
            ready.append((continuation, caller.outcomes))
        }
    }

    private let inFlight = Lock(InFlight())

    /// Returns whether a new request of this generation would share a fetch of the key that is under way.
    func isUnderWay(_ key: Key, in generation: Int = 0) -> Bool {
        inFlight.withLock { $0.places[InFlight.Subject(key: key, generation: generation)] != nil }
    }

    /// Returns the outcome of each key: from a fetch that is under way, from `known`, or from a new fetch.
    ///
    /// - Parameters:
    ///   - generation: only requests of the same generation share fetches.
    ///   - onShared: called with the number of keys that other requests were already fetching.
    ///   - known: returns a value that another request has stored since. It is called only for a key without a fetch
    ///     under way.
    ///   - fetch: fetches the remaining keys, given their indices, and returns outcomes in that order. It must store
    ///     the values before it returns, so that each key is either under way or known at any time.
    /// - Returns: the outcomes in the order of `keys`. If the caller is cancelled, pending outcomes are `.cancelled`.
    func outcomes(
        of keys: [Key], in generation: Int = 0, onShared: (Int) -> Void, known: (Key) -> Value?,
        fetch: @escaping @Sendable ([Int]) async -> [Outcome]
    ) async -> [Outcome] {
        let caller = Caller(keys.count)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let own = Fetch(generation)
                let shared = join(caller, keys, own, known, continuation)
                if shared > 0 { onShared(shared) }
                start(own, fetch)
                // A cancellation before `join` had no effect, because the caller was not waiting yet.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    /// Adds a caller. Keys that are neither under way nor known are added to the fetch `own`.
    ///
    /// - Returns: the number of keys that other requests were already fetching.
    private func join(
        _ caller: Caller, _ keys: [Key], _ own: Fetch, _ known: (Key) -> Value?,
        _ continuation: CheckedContinuation<[Outcome], Never>
    ) -> Int {
        update { state, followUp in
            caller.continuation = continuation
            var shared = 0
            for (place, key) in keys.enumerated() {
                let subject = InFlight.Subject(key: key, generation: own.generation)
                if let underWay = state.places[subject] {
                    if underWay.fetch !== own { shared += 1 }
                    state.add(Fetch.Wait(caller: caller, key: underWay.key, place: place), to: underWay.fetch)
                } else if let value = known(key) {
                    caller.outcomes[place] = .success(value)
                } else {
                    state.places[subject] = InFlight.Place(fetch: own, key: own.keys.count)
                    state.add(Fetch.Wait(caller: caller, key: own.keys.count, place: place), to: own)
                    own.keys.append(key)
                    own.places.append(place)
                }
            }
            followUp.resume(caller)
            return shared
        }
    }

    private func start(_ own: Fetch, _ fetch: @escaping @Sendable ([Int]) async -> [Outcome]) {
        let places = own.places
        guard !places.isEmpty else { return }
        let task = Task(executorPreference: EventLoop.shared) { [self] in
            let outcomes = await fetch(places)
            finish(own, outcomes)
        }
        update { _, followUp in
            own.task = task
            // The fetch may have ended already, or every caller may have been cancelled.
            if own.isOver { followUp.abandoned.append(task) }
        }
    }

    private func finish(_ fetch: Fetch, _ outcomes: [Outcome]) {
        update { state, followUp in
            guard !fetch.isOver else { return }
            state.end(fetch)
            for wait in fetch.waits {
                wait.caller.outcomes[wait.place] = wait.key < outcomes.count ? outcomes[wait.key] : .failure(.absent)
                wait.caller.missing -= 1
                followUp.resume(wait.caller)
            }
            fetch.waits = []
        }
    }

    /// Ends the wait of a caller that was cancelled.
    private func leave(_ caller: Caller) {
        update { state, followUp in
            guard caller.continuation != nil else { return }
            caller.missing = 0
            followUp.resume(caller)
            for fetch in caller.fetches { fetch.waits.removeAll { $0.caller === caller } }
            let abandoned = caller.fetches.filter { !$0.isOver && $0.waits.isEmpty }
            for fetch in abandoned { state.end(fetch) }
            followUp.abandoned = abandoned.compactMap(\.task)
        }
    }

    /// Changes the state under the lock. Then cancels abandoned fetches and resumes callers without the lock, because
    /// both may run code that takes it.
    private func update<Output>(_ change: (inout InFlight, inout FollowUp) -> Output) -> Output {
        var followUp = FollowUp()
        let output = inFlight.withLock { change(&$0, &followUp) }
        for task in followUp.abandoned { task.cancel() }
        for caller in followUp.ready { caller.continuation.resume(returning: caller.outcomes) }
        return output
    }
}

extension RepositoryError {
    /// The error for a requested item that the remote did not return.
    static let absent = RepositoryError.remote(.absent)
    /// The error for a caller that was cancelled before its outcome was available.
    static let left = RepositoryError.remote(APIError(.cancelled, "the request was cancelled"))
}

extension APIError {
    /// The error for a requested item that the remote did not return.
    static var absent: APIError { APIError(.notFound, "not found: the API returned nothing for this id") }
}
