import DataSources
import Model
import System

/// Lets all who want the same thing at the same time share one transfer.
///
/// A transfer brings one key or several. Who waits for some of its keys leaves the others alone; when nobody waits for
/// any of them any more, it is cancelled. What fails, fails for all who wait, and is not remembered.
final class SharedFetches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, APIError>

    /// Somebody who waits for one key or several.
    // Safe: touched under the lock of `flights` alone. A class, so that what it has is not copied from place to place.
    private final class Waiter: @unchecked Sendable {
        let keys: [Key]
        var outcomes: [Key: Outcome] = [:]
        /// How many outcomes are still to come.
        var missing = 0
        /// Nil before the wait has begun and when it is over.
        var continuation: CheckedContinuation<[Key: Outcome], Never>?

        init(_ keys: [Key]) { self.keys = keys }
    }

    /// Brings keys.
    // Safe: touched under the lock of `flights` alone.
    private final class Transfer: @unchecked Sendable {
        var keys: [Key] = []
        /// How many waits there are for its keys.
        var waits = 0
        var task: Task<Void, Never>?
        /// Whether it has ended, or everybody has left.
        var isOver = false
    }

    /// A key on its way.
    private struct Flight {
        let transfer: Transfer
        var waiters: [Waiter]
    }

    private let flights = Lock<[Key: Flight]>([:])

    /// Whether a transfer of that key is under way.
    func isUnderWay(_ key: Key) -> Bool { flights.withLock { $0[key] != nil } }

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
        let waiter = Waiter(keys)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let own = Transfer()
                let shared = join(waiter, own, known, continuation)
                if shared > 0 { onShared(shared) }
                start(own, transfer)
                // A cancellation that came before this one joined found nobody.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    /// Returns how many keys are on their way already. Those that are to be brought are its own transfer's.
    private func join(
        _ waiter: Waiter, _ own: Transfer, _ known: (Key) -> Value?,
        _ continuation: CheckedContinuation<[Key: Outcome], Never>
    ) -> Int {
        flights.withLock { flights in
            for key in waiter.keys where waiter.outcomes[key] == nil {
                if let flight = flights[key] {
                    // The key may stand there twice.
                    if flight.waiters.last === waiter { continue }
                    flights[key]?.waiters.append(waiter)
                    flight.transfer.waits += 1
                } else if let value = known(key) {
                    waiter.outcomes[key] = .success(value)
                    continue
                } else {
                    flights[key] = Flight(transfer: own, waiters: [waiter])
                    own.keys.append(key)
                    own.waits += 1
                }
                waiter.missing += 1
            }
            if waiter.missing == 0 {
                continuation.resume(returning: waiter.outcomes)
            } else {
                waiter.continuation = continuation
            }
            return waiter.missing - own.keys.count
        }
    }

    private func start(_ own: Transfer, _ transfer: @escaping @Sendable ([Key]) async -> [Key: Outcome]) {
        // Its keys change no more.
        let keys = own.keys
        guard !keys.isEmpty else { return }
        let task = Task(executorPreference: EventLoop.shared) { [self] in
            let outcomes = await transfer(keys)
            finish(own, outcomes)
        }
        let isOver = flights.withLock { _ in
            own.task = task
            return own.isOver
        }
        // It is over, or everybody has left before the task could be noted.
        if isOver { task.cancel() }
    }

    private func finish(_ own: Transfer, _ outcomes: [Key: Outcome]) {
        let ready = flights.withLock { flights in
            var ready: [Waiter] = []
            guard !own.isOver else { return ready }
            own.isOver = true
            for key in own.keys {
                let outcome = outcomes[key] ?? .failure(.absent)
                for waiter in flights.removeValue(forKey: key)?.waiters ?? [] {
                    waiter.outcomes[key] = outcome
                    waiter.missing -= 1
                    if waiter.missing == 0 { ready.append(waiter) }
                }
            }
            return ready
        }
        for waiter in ready { end(waiter) }
    }

    /// Ends a wait. Transfers that nobody waits for any more are cancelled.
    private func leave(_ waiter: Waiter) {
        let abandoned = flights.withLock { flights in
            var abandoned: [Task<Void, Never>] = []
            guard waiter.continuation != nil else { return abandoned }
            for key in waiter.keys where waiter.outcomes[key] == nil {
                waiter.outcomes[key] = .failure(APIError(.cancelled, "the caller left"))
                guard let transfer = flights[key]?.transfer else { continue }
                flights[key]?.waiters.removeAll { $0 === waiter }
                transfer.waits -= 1
                guard transfer.waits == 0 else { continue }
                transfer.isOver = true
                for key in transfer.keys { flights[key] = nil }
                if let task = transfer.task { abandoned.append(task) }
            }
            return abandoned
        }
        for task in abandoned { task.cancel() }
        end(waiter)
    }

    /// Once: it may be ready and left at the same time.
    private func end(_ waiter: Waiter) {
        let (continuation, outcomes) = flights.withLock { _ in
            defer { waiter.continuation = nil }
            return (waiter.continuation, waiter.outcomes)
        }
        continuation?.resume(returning: outcomes)
    }
}

extension APIError {
    /// The remote left out what it was asked for.
    static var absent: APIError { APIError(.notFound, "the API has no such thing") }
}
