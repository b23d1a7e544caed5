import System

/// The transfers of one client, on a loop. libcurl is opened with the first one.
///
/// Jobs come from any thread; what is done with them is done on the loop's.
package final class HTTPEngine: Sendable {
    private enum Phase {
        case new
        case begun
        case shutDown
    }

    // Safe: it is touched on the loop alone.
    private final class Confined: @unchecked Sendable {
        var transfers: HTTPEngineLoop?
    }

    package let loop: EventLoop
    private let confined = Confined()
    private let phase = Lock(Phase.new)
    let userAgent: String
    package let environment: HTTPEnvironment
    let budget: BodyBudget
    let maxTransfers: Int

    init(loop: EventLoop, userAgent: String, environment: HTTPEnvironment, budget: BodyBudget, maxTransfers: Int) {
        self.loop = loop
        self.userAgent = userAgent
        self.environment = environment
        self.budget = budget
        self.maxTransfers = maxTransfers
        // The loop's turn, which follows, looks for the room.
        budget.follow { [weak self] in self?.tell { _ in } }
    }

    /// Takes a job; the first one opens libcurl.
    func start(_ job: HTTPJob) {
        if isShutDown() { return job.finish(.failure(.cancelled)) }
        if loop.isCurrent { return begin(job) }
        guard loop.isReady else { return job.finish(.failure(.network(Thread.shortage).unsent)) }
        loop.run { [self] in begin(job) }
    }

    /// Aborts a job. Nothing happens when it has ended, or has not come yet: then its own flag stops it.
    func cancel(_ job: HTTPJob) {
        // The job stays until then, so that no other one has its identity.
        tell { $0.abort(job.id, with: .cancelled) }
    }

    /// Fails what is in flight and what comes later, and closes all connections. It returns when that is done.
    func shutdown() {
        // Where there is no thread, nothing was begun.
        guard isFirstToEnd(), loop.isReady else { return }
        if loop.isCurrent { return stop() }
        let isDone = Monitor(false)
        loop.run { [self] in
            stop()
            isDone.change { $0 = true }
        }
        isDone.wait(until: { $0 }, then: { _ in })
    }

    /// The same, and it does not wait.
    func abandon() {
        if isFirstToEnd() { loop.run { [self] in stop() } }
    }

    /// Has a guest share the loop's waiting, until it leaves or the engine ends. To be called on the loop.
    ///
    /// - Returns: libcurl, which the first one opens.
    /// - Throws: `.network` where that cannot be opened, `.cancelled` after the end.
    package func join(_ guest: any EngineGuestContract) throws(HTTPError) -> CurlLibrary {
        if isShutDown() { throw .cancelled }
        let transfers = try opened()
        transfers.join(guest)
        return transfers.library
    }

    /// Forgets a guest. To be called on the loop.
    package func leave(_ guest: any EngineGuestContract) { confined.transfers?.leave(guest) }

    /// Returns whether it is too late to begin something.
    private func isShutDown() -> Bool {
        phase.withLock { phase in
            if case .shutDown = phase { return true }
            phase = .begun
            return false
        }
    }

    /// Returns whether there is something to end.
    private func isFirstToEnd() -> Bool {
        phase.withLock { phase in
            defer { phase = .shutDown }
            if case .begun = phase { return true }
            return false
        }
    }

    private func tell(_ body: @escaping @Sendable (HTTPEngineLoop) -> Void) {
        guard case .begun = phase.withLock({ $0 }) else { return }
        loop.run { [weak self] in
            if let transfers = self?.confined.transfers { body(transfers) }
        }
    }

    private func begin(_ job: HTTPJob) {
        do throws(HTTPError) {
            try opened().begin(job)
        } catch {
            job.finish(.failure(error))
        }
    }

    private func opened() throws(HTTPError) -> HTTPEngineLoop {
        if case .shutDown = phase.withLock({ $0 }) { throw .cancelled }
        if let transfers = confined.transfers { return transfers }
        let transfers = try HTTPEngineLoop(self, CurlLibrary.open())
        confined.transfers = transfers
        loop.attach(transfers)
        return transfers
    }

    private func stop() {
        guard let transfers = confined.transfers else { return }
        loop.detach(transfers)
        confined.transfers = nil
        transfers.stop()
    }
}
