import Model
import System

/// Lets concurrent requests for the same key share one fetch.
///
/// A fetch runs in its own task. The task is cancelled only if all callers of the fetch are cancelled. If the fetch
/// fails, every waiting caller receives the error, and a later request starts a new fetch.
// All state is in `InFlight`, and only `update` changes this state.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, RepositoryError>

    /// A caller that waits for the outcomes of one or more keys.
    // Safe: only `update` uses this object. It is a class, because the fetches of all its keys refer to it.
    private final class Caller: @unchecked Sendable {
        /// The outcomes in the order of the caller's keys. Until an outcome is known, its value is the cancellation
        /// error.
        var outcomes: [Outcome]
        /// The number of outcomes that are not yet known.
        var missing = 0
        var fetches = ShortList<Fetch>()
        /// The continuation of the waiting caller; nil before the wait.
        // Safe: `FollowUp.end` chooses each caller once, so the continuation resumes once.
        var continuation: UnsafeContinuation<[Outcome], Never>?
        /// Whether the wait is over. Later outcomes and cancellations are ignored.
        var isDone = false

        init(_ count: Int) { outcomes = Array(repeating: .failure(.left), count: count) }
    }

    /// One running fetch of one or more keys.
    // Safe: only `update` uses this object. The exceptions are `places` and `generation`, which never change after the
    // start of the fetch.
    private final class Fetch: @unchecked Sendable {
        struct Wait {
            let caller: Caller
            /// The index of the awaited key in `Fetch.keys`.
            let key: Int
            /// The index of the awaited key in the caller's request.
            let place: Int
        }

        let generation: Int
        var keys: [Key] = []
        /// For each element of `keys`, its index in the request that started the fetch.
        var places: [Int] = []
        var waits: [Wait] = []
        var task: Task<Void, Never>?
        /// Whether the fetch has ended, or all of its callers were cancelled.
        var isOver = false

        init(_ generation: Int) { self.generation = generation }
    }

    private struct InFlight {
        /// A key with the generation (cache epoch) of its requests. Only requests of the same generation share a fetch.
        struct Subject: Hashable {
            let key: Key
            let generation: Int
        }

        struct Place {
            let fetch: Fetch
            /// The index of the key in `Fetch.keys`.
            let key: Int
        }

        var places: [Subject: Place] = [:]

        mutating func add(_ wait: Fetch.Wait, to fetch: Fetch) {
            fetch.waits.append(wait)
            wait.caller.missing += 1
            if wait.caller.fetches.last !== fetch { wait.caller.fetches.append(fetch) }
        }

        /// Ends a fetch, so that later requests cannot join it.
        mutating func end(_ fetch: Fetch) {
            fetch.isOver = true
            for key in fetch.keys { places[Subject(key: key, generation: fetch.generation)] = nil }
        }
    }

    /// The actions that `update` performs after it has released the lock.
    private struct FollowUp {
        /// The tasks to cancel, because no caller waits for them any more.
        var abandoned: [Task<Void, Never>] = []
        /// The callers to resume, because their wait is over.
        var done = ShortList<Caller>()

        /// Ends the wait of a caller if all of its outcomes are known. Only `update` may call this method.
        mutating func end(_ caller: Caller) {
            guard caller.missing == 0, caller.continuation != nil, !caller.isDone else { return }
            caller.isDone = true
            done.append(caller)
        }
    }

    private let inFlight = Lock(InFlight())

    /// Returns whether a new request of the given generation would share a running fetch of the key.
    func isUnderWay(_ key: Key, in generation: Int = 0) -> Bool {
        inFlight.withLock { $0.places[InFlight.Subject(key: key, generation: generation)] != nil }
    }

    /// Returns the outcome of each key: from a running fetch, from `known`, or from a new fetch.
    ///
    /// - Parameters:
    ///   - generation: only requests of the same generation share fetches.
    ///   - onShared: called with the number of keys that are already being fetched for earlier requests.
    ///   - known: returns a value that another request has already stored. Called only for a key without a running
    ///     fetch.
    ///   - fetch: fetches the keys with the given indices, and returns their outcomes in the same order. The function
    ///     must store the values before it returns. Otherwise a new request could find neither a running fetch nor a
    ///     known value.
    /// - Returns: the outcomes in the order of `keys`. If the caller is cancelled, pending outcomes are `.cancelled`.
    func outcomes(
        of keys: some Collection<Key>, in generation: Int = 0, onShared: (Int) -> Void, known: (Key) -> Value?,
        fetch: @escaping @Sendable ([Int]) async -> [Outcome]
    ) async -> [Outcome] {
        let caller = Caller(keys.count)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let own = Fetch(generation)
                let shared = join(caller, keys, own, known, continuation)
                if shared > 0 { onShared(shared) }
                start(own, fetch)
                // A cancellation before `join` had no effect, because the caller did not wait yet.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    /// Adds a caller. The new fetch `own` fetches each key that has neither a known value nor a running fetch.
    ///
    /// - Returns: the number of keys that are already being fetched for earlier requests.
    private func join(
        _ caller: Caller, _ keys: some Collection<Key>, _ own: Fetch, _ known: (Key) -> Value?,
        _ continuation: UnsafeContinuation<[Outcome], Never>
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
            followUp.end(caller)
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
                followUp.end(wait.caller)
            }
            fetch.waits = []
        }
    }

    /// Ends the wait of a cancelled caller.
    private func leave(_ caller: Caller) {
        update { state, followUp in
            guard caller.continuation != nil, !caller.isDone else { return }
            caller.missing = 0
            followUp.end(caller)
            caller.fetches.forEach { fetch in
                fetch.waits.removeAll { $0.caller === caller }
                guard fetch.waits.isEmpty, !fetch.isOver else { return }
                state.end(fetch)
                if let task = fetch.task { followUp.abandoned.append(task) }
            }
        }
    }

    /// Changes the state under the lock, and performs the follow-up actions after the lock is released.
    // Cancelling and resuming take the task's lock. A cancellation handler may hold the task's lock while it waits for
    // the lock of the state, so `update` must not hold both.
    private func update<Output>(_ change: (inout InFlight, inout FollowUp) -> Output) -> Output {
        var followUp = FollowUp()
        let output = inFlight.withLock { change(&$0, &followUp) }
        for task in followUp.abandoned { task.cancel() }
        followUp.done.forEach { $0.continuation?.resume(returning: $0.outcomes) }
        return output
    }
}

extension RepositoryError {
    /// The error for a requested item that the API did not return.
    static let absent = RepositoryError.remote(.absent)
    /// The error for a caller that was cancelled before all of its outcomes were known.
    static let left = RepositoryError.remote(APIError(.cancelled, "the request was cancelled"))
}

extension APIError {
    /// The error for a requested item that the API did not return.
    static var absent: APIError { APIError(.notFound, "not found: the API returned nothing for this id; check the id") }
}
