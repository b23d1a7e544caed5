import CCurl
import System

/// What the engine does on the loop: it owns the multi handle and every transfer.
// Exclusivity: only the loop's thread uses it, and libcurl calls back to transfers alone.
final class HTTPEngineLoop {
    /// How many easy handles are kept for later.
    private static let maxIdle = 64
    /// How many open connections are kept for later.
    private static let maxConnections = 128
    /// How long the loop sleeps when no transfer has a deadline, in milliseconds.
    private static let longSleep = 3_600_000

    private let engine: HTTPEngine
    let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var active: [ObjectIdentifier: HTTPTransfer] = [:]
    @exclusivity(unchecked) private var idle: [HTTPTransfer] = []
    @exclusivity(unchecked) private var waiting: [HTTPJob] = []
    @exclusivity(unchecked) private var guests: [any EngineGuestContract] = []
    /// No job's deadline is before this one.
    @exclusivity(unchecked) private var nextDeadline = Int.max
    /// Whether libcurl has something to do.
    @exclusivity(unchecked) private var isDue = false
    /// When it last had its turn, in milliseconds of the monotonic clock.
    @exclusivity(unchecked) private var lastTurn = 0

    /// - Throws: `.network` where libcurl has no memory, or no descriptor to be woken by: it would sleep for ever.
    init(_ engine: HTTPEngine, _ library: CurlLibrary) throws(HTTPError) {
        guard let multi = larder_curl_multi_init(library.functions) else {
            throw .network(Descriptors.shortage ?? "out of memory").unsent
        }
        guard larder_curl_multi_wakeup(library.functions, multi) == CURLM_OK else {
            larder_curl_multi_cleanup(library.functions, multi)
            throw .network(Descriptors.shortage ?? "libcurl has no descriptor to be woken by").unsent
        }
        self.engine = engine
        self.library = library
        self.multi = multi
        _ = larder_curl_multi_set_long(library.functions, multi, CURLMOPT_MAXCONNECTS, Self.maxConnections)
    }

    /// Begins an exchange, or has it wait for a place.
    func begin(_ job: HTTPJob) {
        // Its cancellation may have come before it.
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
            throw .network("libcurl does not take the transfer")
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
                // Where it is about the URL of a redirect, a request was made.
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

    /// Fails an exchange, if it has not ended.
    func abort(_ id: ObjectIdentifier, with error: HTTPError) {
        if let transfer = active[id], let job = transfer.job {
            _ = larder_curl_multi_remove(library.functions, multi, transfer.easy)
            finish(job, transfer, .failure(error))
        } else if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).finish(.failure(error.unsent))
        }
    }

    /// Fails all that is in flight or waits, and closes all connections.
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

/// Guests.
extension HTTPEngineLoop {
    func join(_ guest: any EngineGuestContract) { guests.append(guest) }

    func leave(_ guest: any EngineGuestContract) { guests.removeAll { $0 === guest } }

    /// The shortest of one's own patience and that of the guests.
    private func patience(besides own: Int?) -> Int? {
        guests.reduce(own) { least, guest in guest.patience.map { min($0, least ?? .max) } ?? least }
    }

    private func waitWithGuests(milliseconds: Int) {
        // Safe: the first `count` of them are initialized, and need no destruction.
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
    var patience: Int? {
        if active.isEmpty, waiting.isEmpty { return guests.isEmpty ? nil : patience(besides: nil) }
        let own = max(0, min(nextDeadline == .max ? .max : nextDeadline - Monotonic.milliseconds, Self.longSleep))
        return guests.isEmpty ? own : patience(besides: own)
    }

    func turn() {
        for guest in guests { guest.turn() }
        guard !active.isEmpty || !waiting.isEmpty else { return }
        let now = Monotonic.milliseconds
        // While there is no end of jobs the loop never waits here: the transfers go on all the same.
        if now != lastTurn { isDue = true }
        lastTurn = now
        // What ends may begin anew elsewhere.
        while isDue {
            isDue = false
            _ = larder_curl_multi_perform(library.functions, multi)
            finishEnded()
        }
        if nextDeadline <= now { failLate(now) }
        if engine.budget.isWaitedFor { makeRoom() }
    }

    func wait(milliseconds: Int) {
        if guests.isEmpty {
            _ = larder_curl_multi_poll(library.functions, multi, nil, 0, Int32(clamping: milliseconds))
        } else {
            waitWithGuests(milliseconds: milliseconds)
        }
        isDue = true
    }

    func wake() { _ = larder_curl_multi_wakeup(library.functions, multi) }
}

/// Timeouts are kept here and not by libcurl, whose own do not run while a transfer waits for a connection, and would
/// begin anew with every redirect.
extension HTTPEngineLoop {
    private func failLate(_ now: Int) {
        let jobs = waiting + active.values.compactMap(\.job)
        for job in jobs where job.deadline <= now {
            let isPaused = active[job.id]?.need != nil
            abort(job.id, with: isPaused ? noRoom : .timeout(job.request.timeout))
        }
        nextDeadline = jobs.lazy.map(\.deadline).filter { $0 > now }.min() ?? .max
    }
}

/// Transfers whose bodies wait for room among those of all answers.
extension HTTPEngineLoop {
    private var noRoom: HTTPError { HTTPError(.noRoom(limit: engine.budget.limit)) }

    /// Lets those go on for which there is room, in the order in which they came to wait.
    private func makeRoom() {
        var waiting = active.values.filter { $0.need != nil }
            .sorted { $0.pausedAt ?? 0 < $1.pausedAt ?? 0 }[...]
        while let first = waiting.first {
            // Where nobody else has anything to give back, none would ever go on.
            let isStuck = waiting.reduce(0) { $0 + $1.taken } == engine.budget.used
            if first.goOn(withRest: isStuck) {
                waiting.removeFirst()
            } else if isStuck, let last = waiting.last, last !== first, let job = last.job {
                // The one that came last gives way.
                waiting.removeLast()
                abort(job.id, with: noRoom)
            } else {
                return
            }
        }
        engine.budget.endWait()
    }
}
