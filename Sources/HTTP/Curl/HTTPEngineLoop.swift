import CCurl
import System

/// The part of the HTTP engine that runs on the event loop. Owns libcurl's multi handle and all transfers.
// Exclusivity: only the loop's thread uses this object, and libcurl's callbacks use only transfers.
final class HTTPEngineLoop {
    /// The maximum number of unused libcurl easy handles that are stored for later transfers.
    private static let maxIdle = 64
    /// The maximum number of idle connections that are kept open.
    private static let maxConnections = 128
    /// The maximum time of one wait for events while exchanges are active, in milliseconds.
    private static let longSleep = 3_600_000

    private let engine: HTTPEngine
    let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var active: [ObjectIdentifier: HTTPTransfer] = [:]
    @exclusivity(unchecked) private var idle: [HTTPTransfer] = []
    @exclusivity(unchecked) private var waiting: [HTTPJob] = []
    @exclusivity(unchecked) private var guests: [any EngineGuestContract] = []
    /// The monotonic time at which the loop next checks the deadlines of the exchanges, in milliseconds. No active or
    /// waiting exchange has an earlier deadline.
    @exclusivity(unchecked) private var nextDeadline = Int.max
    /// Whether libcurl may have work to do.
    @exclusivity(unchecked) private var isDue = false
    /// The monotonic time of the last call of `turn`, in milliseconds.
    @exclusivity(unchecked) private var lastTurn = 0

    /// Creates the part of an engine that runs on the event loop.
    ///
    /// - Throws: `.network` if memory or file descriptors are exhausted.
    init(_ engine: HTTPEngine, _ library: CurlLibrary) throws(HTTPError) {
        guard let multi = larder_curl_multi_init(library.functions) else {
            throw .network(Descriptors.shortage ?? "out of memory").unsent
        }
        guard larder_curl_multi_wakeup(library.functions, multi) == CURLM_OK else {
            larder_curl_multi_cleanup(library.functions, multi)
            throw .network(
                Descriptors.shortage
                    ?? "libcurl cannot create a file descriptor; free some, or raise the limit (ulimit -n)"
            ).unsent
        }
        self.engine = engine
        self.library = library
        self.multi = multi
        _ = larder_curl_multi_set_long(library.functions, multi, CURLMOPT_MAXCONNECTS, Self.maxConnections)
    }

    /// Starts an HTTP exchange. If the maximum number of transfers is active, queues the exchange.
    func begin(_ job: HTTPJob) {
        // The cancellation may arrive before the job.
        guard !job.isCancelled else { return job.finish(.failure(.cancelled.unsent)) }
        nextDeadline = min(nextDeadline, job.deadline)
        if active.count < engine.maxTransfers { start(job) } else { waiting.append(job) }
    }

    private func start(_ job: HTTPJob) {
        guard let transfer = idle.popLast() ?? HTTPTransfer(engine, library)
        else {
            return job.finish(.failure(.network("out of memory").unsent))
        }
        do throws(HTTPError) {
            try transfer.begin(job)
            try add(transfer)
            active[job.id] = transfer
        } catch {
            release(transfer)
            job.finish(.failure(error.unsent))
        }
    }

    private func add(_ transfer: HTTPTransfer) throws(HTTPError) {
        guard larder_curl_multi_add(library.functions, multi, transfer.easy) == CURLM_OK else {
            throw .network("libcurl rejected the transfer")
        }
        isDue = true
    }

    private func finishEnded() {
        var code = CURLE_OK
        while let easy = larder_curl_multi_next_done(library.functions, multi, &code) {
            _ = larder_curl_multi_remove(library.functions, multi, easy)
            guard let transfer = HTTPTransfer.of(easy, library), let job = transfer.job else { continue }
            do throws(HTTPError) {
                guard let response = try transfer.end(code) else {
                    try add(transfer)
                    continue
                }
                finish(job, transfer, .success(response))
            } catch {
                // If the invalid URL comes from a redirect, a request was made.
                let isOfRedirect = if case .invalidURL = error.reason { true } else { false }
                finish(job, transfer, .failure(isOfRedirect ? HTTPError(error.reason) : error))
            }
        }
    }

    private func finish(_ job: HTTPJob, _ transfer: HTTPTransfer, _ outcome: HTTPJob.Outcome) {
        active[job.id] = nil
        release(transfer)
        job.finish(outcome)
        startWaiting()
    }

    private func startWaiting() {
        while active.count < engine.maxTransfers, !waiting.isEmpty { start(waiting.removeFirst()) }
    }

    private func release(_ transfer: HTTPTransfer) {
        transfer.clear()
        if idle.count < Self.maxIdle, transfer.isPlain { idle.append(transfer) }
    }

    /// Aborts an active or queued exchange with an error. If the exchange has ended, does nothing.
    func abort(_ id: ObjectIdentifier, with error: HTTPError) {
        if let transfer = active[id], let job = transfer.job {
            _ = larder_curl_multi_remove(library.functions, multi, transfer.easy)
            finish(job, transfer, .failure(error))
        } else if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).finish(.failure(error.unsent))
        }
    }

    /// Fails all active and queued exchanges and closes all connections.
    func stop() {
        for job in waiting { job.finish(.failure(.cancelled)) }
        waiting = []
        for transfer in active.values {
            _ = larder_curl_multi_remove(library.functions, multi, transfer.easy)
            transfer.job?.finish(.failure(.cancelled))
        }
        active = [:]
        idle = []
        larder_curl_multi_cleanup(library.functions, multi)
        let guests = guests
        self.guests = []
        for guest in guests { guest.engineEnded() }
    }
}

/// The guests of the event loop: objects that have their own sockets, such as a Redis connection.
extension HTTPEngineLoop {
    func join(_ guest: any EngineGuestContract) { guests.append(guest) }

    func leave(_ guest: any EngineGuestContract) { guests.removeAll { $0 === guest } }

    /// Returns the maximum time that the event loop may wait for events, in milliseconds; nil if there is no limit. The
    /// HTTP transfers and each guest may limit this time. The shortest limit applies.
    ///
    /// - Parameter own: the limit of the HTTP transfers; nil if there is none.
    private func maxWait(besides own: Milliseconds?) -> Milliseconds? {
        guests.reduce(own) { least, guest in guest.maxWait.map { min($0, least ?? .max) } ?? least }
    }

    private func waitWithGuests(milliseconds: Milliseconds) {
        // Safe: the first `count` elements are initialized and need no deinitialization.
        withUnsafeTemporaryAllocation(of: curl_waitfd.self, capacity: guests.count) { sockets in
            var count = 0
            for guest in guests {
                guest.willWait()
                guard let interest = guest.interest else { continue }
                let events = interest.isWriting ? CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN
                sockets.initializeElement(
                    at: count, to: curl_waitfd(fd: interest.socket, events: Int16(events), revents: 0))
                count += 1
            }
            _ = larder_curl_multi_poll(
                library.functions, multi, sockets.baseAddress, UInt32(count), Int32(clamping: milliseconds))
            for guest in guests {
                guest.didWait()
                guard let socket = guest.interest?.socket else { continue }
                if sockets[..<count].contains(where: { $0.fd == socket && $0.revents != 0 }) { guest.signal() }
            }
        }
    }
}

extension HTTPEngineLoop: EventSource {
    var maxWait: Milliseconds? {
        if active.isEmpty, waiting.isEmpty { return guests.isEmpty ? nil : maxWait(besides: nil) }
        let own = max(0, min(nextDeadline == .max ? .max : nextDeadline - Monotonic.milliseconds, Self.longSleep))
        return guests.isEmpty ? own : maxWait(besides: own)
    }

    func turn() {
        for guest in guests { guest.turn() }
        guard !active.isEmpty || !waiting.isEmpty else { return }
        let now = Monotonic.milliseconds
        // If jobs arrive constantly, the loop never waits, so libcurl must also run when the loop does not wait.
        if now != lastTurn { isDue = true }
        lastTurn = now
        // A finished transfer may continue with another request.
        while isDue {
            isDue = false
            _ = larder_curl_multi_perform(library.functions, multi)
            finishEnded()
        }
        if nextDeadline <= now { failExpired(now) }
        if engine.budget.hasWaiters { resumePausedTransfers() }
    }

    func wait(milliseconds: Milliseconds) {
        if guests.isEmpty {
            _ = larder_curl_multi_poll(library.functions, multi, nil, 0, Int32(clamping: milliseconds))
        } else {
            waitWithGuests(milliseconds: milliseconds)
        }
        isDue = true
    }

    func wake() { _ = larder_curl_multi_wakeup(library.functions, multi) }
}

/// The part of the event loop that aborts exchanges at their deadlines.
// libcurl's own timeouts are not used, because they exclude the wait for a connection and restart at each redirect.
extension HTTPEngineLoop {
    private func failExpired(_ now: Int) {
        let jobs = waiting + active.values.compactMap(\.job)
        for job in jobs where job.deadline <= now {
            let isPaused = active[job.id]?.need != nil
            abort(job.id, with: isPaused ? noRoom : .timeout(job.request.timeout))
        }
        nextDeadline = jobs.lazy.map(\.deadline).filter { $0 > now }.min() ?? .max
    }
}

/// Handles transfers that are paused because the memory budget for bodies is exhausted.
extension HTTPEngineLoop {
    private var noRoom: HTTPError { HTTPError(.noRoom(limit: engine.budget.limit)) }

    /// Resumes paused transfers until the memory budget for bodies is exhausted again. The transfers resume in the
    /// order in which they paused.
    private func resumePausedTransfers() {
        var waiting = active.values.filter { $0.need != nil }
            .sorted { $0.pausedAt ?? 0 < $1.pausedAt ?? 0 }[...]
        while let first = waiting.first {
            // If only paused bodies have reserved bytes, no bytes become free. One body must then get all remaining
            // bytes.
            let isStuck = waiting.reduce(0) { $0 + $1.reservedBytes } == engine.budget.used
            if first.resume(takingRemainder: isStuck) {
                waiting.removeFirst()
            } else if isStuck, let last = waiting.last, last !== first, let job = last.job {
                // The last transfer in the queue fails, so that its reserved bytes become free.
                waiting.removeLast()
                abort(job.id, with: noRoom)
            } else {
                return
            }
        }
        engine.budget.clearWaiters()
    }
}
