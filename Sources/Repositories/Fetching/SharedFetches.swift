import DataSources
import System

/// Lets all who want the same thing at the same time share one transfer.
///
/// A transfer brings one key or several. Who waits for some of its keys leaves the others alone; when nobody waits for
/// any of them any more, it is cancelled. What fails, fails for all who wait, and is not remembered.
final class SharedFetches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, APIError>

    /// Somebody who waits for one key or several.
    private struct Waiter {
        var missing: Set<Key>
        var outcomes: [Key: Outcome]
        let continuation: CheckedContinuation<[Key: Outcome], Never>
    }

    /// A key on its way.
    private struct Flight {
        let transfer: Int
        var waiters: Set<Int>
    }

    private struct Transfer {
        let keys: [Key]
        /// How many waits there are for its keys.
        var waits: Int
        var task: Task<Void, Never>?
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var transfers: [Int: Transfer] = [:]
        var waiters: [Int: Waiter] = [:]
        var next = 0
    }

    private let state = Lock(State())

    /// Whether a transfer of that key is under way.
    func isUnderWay(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

    /// The outcomes for all keys: of a transfer that is under way, of what is known by now, or of a new transfer.
    ///
    /// - Parameters:
    ///   - onShared: called with how many keys were on their way already.
    ///   - known: what came in the meantime; asked at a moment when no transfer of that key is under way.
    ///   - transfer: brings the rest. It also keeps what it brought, so that there is no moment at which a thing is
    ///     neither on its way nor known.
    /// - Returns: an outcome for each key, `.cancelled` if the caller was cancelled first.
    func outcomes(
        of keys: [Key], onShared: (Int) -> Void, known: (Key) -> Value?,
        transfer: @escaping @Sendable ([Key]) async -> [Key: Outcome]
    ) async -> [Key: Outcome] {
        let waiter = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (shared, new) = join(waiter, keys, known, continuation)
                if shared > 0 { onShared(shared) }
                if !new.isEmpty { start(new, of: waiter, transfer) }
                // A cancellation that came before this one joined found nobody.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Returns how many keys are on their way already, and those that are to be brought.
    private func join(
        _ number: Int, _ keys: [Key], _ known: (Key) -> Value?,
        _ continuation: CheckedContinuation<[Key: Outcome], Never>
    ) -> (shared: Int, new: [Key]) {
        state.withLock { state in
            var waiter = Waiter(missing: [], outcomes: [:], continuation: continuation)
            var new: [Key] = []
            for key in keys where !waiter.missing.contains(key) {
                if let flight = state.flights[key] {
                    state.flights[key]?.waiters.insert(number)
                    state.transfers[flight.transfer]?.waits += 1
                    waiter.missing.insert(key)
                } else if let value = known(key) {
                    waiter.outcomes[key] = .success(value)
                } else {
                    // A transfer has the number of the waiter who starts it.
                    state.flights[key] = Flight(transfer: number, waiters: [number])
                    waiter.missing.insert(key)
                    new.append(key)
                }
            }
            if !new.isEmpty { state.transfers[number] = Transfer(keys: new, waits: new.count) }
            if waiter.missing.isEmpty {
                continuation.resume(returning: waiter.outcomes)
            } else {
                state.waiters[number] = waiter
            }
            return (waiter.missing.count - new.count, new)
        }
    }

    private func start(
        _ keys: [Key], of number: Int, _ transfer: @escaping @Sendable ([Key]) async -> [Key: Outcome]
    ) {
        let task = Task(executorPreference: EventLoop.shared) { [self] in
            let outcomes = await transfer(keys)
            finish(number, outcomes)
        }
        let isAlone = state.withLock { state in
            state.transfers[number]?.task = task
            return state.transfers[number] == nil
        }
        // It is over, or everybody has left before the task could be noted.
        if isAlone { task.cancel() }
    }

    private func finish(_ number: Int, _ outcomes: [Key: Outcome]) {
        let ready = state.withLock { state in
            var ready: [Waiter] = []
            guard let transfer = state.transfers.removeValue(forKey: number) else { return ready }
            for key in transfer.keys {
                let waiters = state.flights.removeValue(forKey: key)?.waiters ?? []
                let outcome = outcomes[key] ?? .failure(.absent)
                for waiter in waiters {
                    state.waiters[waiter]?.outcomes[key] = outcome
                    state.waiters[waiter]?.missing.remove(key)
                    if state.waiters[waiter]?.missing.isEmpty == true,
                        let last = state.waiters.removeValue(forKey: waiter)
                    {
                        ready.append(last)
                    }
                }
            }
            return ready
        }
        for waiter in ready { waiter.continuation.resume(returning: waiter.outcomes) }
    }

    /// Ends a wait. Transfers that nobody waits for any more are cancelled.
    private func leave(_ number: Int) {
        let (waiter, abandoned) = state.withLock { state in
            var abandoned: [Task<Void, Never>] = []
            guard let waiter = state.waiters.removeValue(forKey: number) else { return (Waiter?.none, abandoned) }
            for key in waiter.missing {
                guard let transfer = state.flights[key]?.transfer else { continue }
                state.flights[key]?.waiters.remove(number)
                state.transfers[transfer]?.waits -= 1
                guard state.transfers[transfer]?.waits == 0,
                    let gone = state.transfers.removeValue(forKey: transfer)
                else { continue }
                for key in gone.keys { state.flights[key] = nil }
                if let task = gone.task { abandoned.append(task) }
            }
            return (waiter, abandoned)
        }
        for task in abandoned { task.cancel() }
        guard let waiter else { return }
        var outcomes = waiter.outcomes
        for key in waiter.missing { outcomes[key] = .failure(APIError(.cancelled, "the caller left")) }
        waiter.continuation.resume(returning: outcomes)
    }
}

extension APIError {
    /// The remote left out what it was asked for.
    static var absent: APIError { APIError(.notFound, "the API has no such thing") }
}
