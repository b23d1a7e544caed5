import Model
import System

/// Lets concurrent requests for the same key share one fetch.
///
/// A fetch is for one key or several, and runs in a task of its own. A caller that leaves does not disturb the others;
/// when no caller waits for any of its keys, the fetch is cancelled. A failure reaches every caller that waits, and is
/// not remembered.
///
/// All state is in `InFlight`, and only `update` changes it.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, RepositoryError>

    /// A caller that waits for one key or several.
    // Safe: used in `update` alone. A class, because the fetches of all its keys refer to it.
    private final class Caller: @unchecked Sendable {
        /// The outcomes in the order of the caller's keys. Those to come are as if the caller had left.
        var outcomes: [Outcome]
        /// The number of outcomes to come.
        var missing = 0
        /// The fetches of the keys that it waits for.
        var fetches: [Fetch] = []
        /// Nil before the wait has begun and after it has ended.
        var continuation: CheckedContinuation<[Outcome], Never>?

        init(_ count: Int) { outcomes = Array(repeating: .failure(.left), count: count) }
    }

    /// A fetch of one key or several.
    // Safe: used in `update` alone, but for `places` and `generation`, which do not change once the fetch has begun.
    private final class Fetch: @unchecked Sendable {
        struct Wait {
            let caller: Caller
            /// The place of the key among the fetch's, and among the caller's.
            let key: Int
            let place: Int
        }

        let generation: Int
        var keys: [Key] = []
        /// The places of the keys among those of the caller that began the fetch.
        var places: [Int] = []
        var waits: [Wait] = []
        var task: Task<Void, Never>?
        /// Whether it has ended, or every caller has left.
        var isOver = false

        init(_ generation: Int) { self.generation = generation }
    }

    /// All fetches under way.
    private struct InFlight {
        /// A key in one generation.
        struct Subject: Hashable {
            let key: Key
            let generation: Int
        }

        struct Place {
            let fetch: Fetch
            /// The place of the key among the fetch's.
            let key: Int
        }

        /// The fetch of each key in each generation.
        var places: [Subject: Place] = [:]

        mutating func add(_ wait: Fetch.Wait, to fetch: Fetch) {
            fetch.waits.append(wait)
            wait.caller.missing += 1
            if wait.caller.fetches.last !== fetch { wait.caller.fetches.append(fetch) }
        }

        /// Ends a fetch: nothing joins it any more.
        mutating func end(_ fetch: Fetch) {
            fetch.isOver = true
            for key in fetch.keys { places[Subject(key: key, generation: fetch.generation)] = nil }
        }
    }

    /// What is left to do after a change, when the lock is free.
    private struct FollowUp {
        /// The tasks of the fetches that the change has abandoned.
        var abandoned: [Task<Void, Never>] = []
        /// The callers whose wait has ended, and their outcomes.
        var ready: [(continuation: CheckedContinuation<[Outcome], Never>, outcomes: [Outcome])] = []

        /// Ends the wait of a caller that has all outcomes. In `update` alone.
        mutating func resume(_ caller: Caller) {
            guard caller.missing == 0, let continuation = caller.continuation else { return }
            caller.continuation = nil
            ready.append((continuation, caller.outcomes))
        }
    }

    private let inFlight = Lock(InFlight())

    /// Whether a fetch of a key is under way that a request of this generation would share.
    func isUnderWay(_ key: Key, in generation: Int = 0) -> Bool {
        inFlight.withLock { $0.places[InFlight.Subject(key: key, generation: generation)] != nil }
    }

    /// Returns the outcome of each key: of a fetch that is under way, of what is known by now, or of a new fetch.
    ///
    /// - Parameters:
    ///   - generation: requests of different generations share nothing.
    ///   - onShared: called with the number of keys that were on their way already.
    ///   - known: what arrived in the meantime. It is called while no fetch of the key is under way.
    ///   - fetch: fetches the rest, given the places of their keys, and returns outcomes in that order. It also stores
    ///     what it fetched, so that at no moment a key is neither under way nor known.
    /// - Returns: `.cancelled` for each outcome that the caller left before it came.
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
                // A cancellation before this moment found no caller that waits.
                if Task.isCancelled { leave(caller) }
            }
        } onCancel: {
            leave(caller)
        }
    }

    /// Adds a caller. The keys that are neither under way nor known become those of `own`.
    ///
    /// - Returns: how many keys were under way.
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
            // It may be over already, or every caller may have left.
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

    /// Changes the state. Then cancels the fetches that the change has abandoned and resumes the callers that it has
    /// made ready, both without the lock: either may run code that needs it.
    private func update<Output>(_ change: (inout InFlight, inout FollowUp) -> Output) -> Output {
        var followUp = FollowUp()
        let output = inFlight.withLock { change(&$0, &followUp) }
        for task in followUp.abandoned { task.cancel() }
        for caller in followUp.ready { caller.continuation.resume(returning: caller.outcomes) }
        return output
    }
}

extension RepositoryError {
    /// The remote left out what it was asked for.
    static let absent = RepositoryError.remote(.absent)
    /// The caller left before the outcome came.
    static let left = RepositoryError.remote(APIError(.cancelled, "the caller left"))
}

extension APIError {
    /// The remote left out what it was asked for.
    static var absent: APIError { APIError(.notFound, "not found: the API returned nothing for this id") }
}
