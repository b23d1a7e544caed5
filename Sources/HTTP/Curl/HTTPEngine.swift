import System

/// Runs the transfers of one HTTP client on an event loop. Any thread may submit an HTTP exchange; all other work
/// happens on the loop's thread.
// The first transfer loads libcurl.
package final class HTTPEngine: Sendable {
    private enum Phase {
        case new
        case begun
        case shutDown
    }

    // Safe: only the loop's thread uses this object.
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
        // Waking the loop is sufficient, because the loop's next iteration resumes paused transfers.
        budget.setRoomHandler { [weak self] in self?.runOnLoop { _ in } }
    }

    /// Submits one HTTP exchange to the event loop. The first exchange loads libcurl.
    func start(_ job: HTTPJob) {
        if isShutDown() { return job.finish(.failure(.cancelled)) }
        if loop.isCurrent { return begin(job) }
        guard loop.isReady else { return job.finish(.failure(.network(Thread.shortage).unsent)) }
        loop.run { [self] in begin(job) }
    }

    /// Aborts an HTTP exchange. Does nothing if the exchange has ended.
    // If the job has not reached the event loop yet, its own cancellation flag stops it.
    func cancel(_ job: HTTPJob) {
        // The closure retains the job. Otherwise a new job could get the same identity before the abort.
        runOnLoop { $0.abort(job.id, with: .cancelled) }
    }

    /// Fails all current and later HTTP exchanges with `.cancelled`, and closes all connections. Waits until they are
    /// closed.
    func shutdown() {
        // Without a thread, no job was started.
        guard beginShutdown(), loop.isReady else { return }
        if loop.isCurrent { return stop() }
        let isDone = Monitor(false)
        loop.run { [self] in
            stop()
            isDone.change { $0 = true }
        }
        isDone.wait(until: { $0 }, then: { _ in })
    }

    /// Fails all current and later HTTP exchanges with `.cancelled` and closes all connections. Returns without
    /// waiting.
    func abandon() {
        if beginShutdown() { loop.run { [self] in stop() } }
    }

    /// Adds a guest (an object with its own socket) to the event loop. The guest stays until `leave` is called or the
    /// engine shuts down. Must be called on the loop's thread.
    ///
    /// - Returns: the libcurl library for the guest's transfers. The library is loaded if necessary.
    /// - Throws: `.network` if libcurl cannot be loaded; `.cancelled` after shutdown.
    package func join(_ guest: any EngineGuestContract) throws(HTTPError) -> CurlLibrary {
        if isShutDown() { throw .cancelled }
        let transfers = try opened()
        transfers.join(guest)
        return transfers.library
    }

    /// Removes a guest (an object with its own socket) from the event loop. Must be called on the loop's thread.
    package func leave(_ guest: any EngineGuestContract) { confined.transfers?.leave(guest) }

    /// Returns whether the engine is shut down. If not, marks the engine as used.
    private func isShutDown() -> Bool {
        phase.withLock { phase in
            if case .shutDown = phase { return true }
            phase = .begun
            return false
        }
    }

    /// Marks the engine as shut down. Returns true if the engine was used before.
    private func beginShutdown() -> Bool {
        phase.withLock { phase in
            defer { phase = .shutDown }
            if case .begun = phase { return true }
            return false
        }
    }

    private func runOnLoop(_ body: @escaping @Sendable (HTTPEngineLoop) -> Void) {
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
