import HTTP
import System

/// What the link does when it is its turn on the loop.
extension RedisLink: EngineGuestContract {
    /// How soon one looks whether the connection stands, in milliseconds.
    private static let lookEvery = 1
    /// How many bytes may take long on a slow line, and how often one looks then whether they have arrived.
    private static let much = 16 << 10
    private static let lookForArrivalEvery = 10

    var interest: (socket: Int32, isWriting: Bool)? {
        guard phase == .greeting || phase == .ready, let socket else { return nil }
        return (socket.descriptor, socket.backlog > 0)
    }

    var patience: Int? {
        let now = Monotonic.milliseconds
        switch phase {
        case .connecting: return Self.lookEvery
        case .greeting: return clock.isSignalled ? 0 : clock.patienceToConnect(at: now)
        case .ready where clock.isSignalled: return 0
        // Also while nothing is awaited its end is noticed when it comes, and not with the next command.
        case .ready:
            guard let turn = awaited.turn else { return isAlert(at: now) ? clock.alertness(at: now) : 3_600_000 }
            let patience = clock.patience(turn, wait: awaited.firstWait, at: now)
            return min(patience, isMuchUnderWay ? Self.lookForArrivalEvery : .max)
        default: return nil
        }
    }

    /// Whether there may be much on the way to the server: then what has arrived counts as a sign, too.
    var isMuchUnderWay: Bool {
        guard !awaited.isEmpty, let socket else { return false }
        return socket.sent - clock.arrived > Self.much
    }

    func willWait() {
        guard phase == .ready, !isEnding, !isCrowded, !isMuchUnderWay, let socket, socket.backlog == 0 else { return }
        // A batch on the line is seen when the wait ends: that must not be later than its time limit.
        if isAlert(at: Monotonic.milliseconds) { line.open(socket.descriptor) }
    }

    func didWait() { closeLine() }

    /// Closes the direct line and awaits the replies to what was sent on it.
    func closeLine() {
        for batch in line.close() {
            if awaited.isEmpty { clock.restart(at: batch.begin, arrived: socket?.sent ?? 0) }
            socket?.noteSent(batch.bytes)
            awaited.append(
                batch.commands, size: batch.size, at: batch.begin, isWaited: batch.isWaited, batch.then)
        }
    }

    /// Loses the connection if a command was sent only in part on the direct line.
    func loseBrokenLine() {
        if line.takeBreak() { lose("the server takes no commands") }
    }

    /// Whether the loop waits for at most `RedisLimits.silence`, so that commands may be sent during the wait. libcurl
    /// encrypts on one thread alone.
    private func isAlert(at now: Int) -> Bool {
        guard let socket, !socket.isSecure else { return false }
        return !awaited.isEmpty || clock.alertness(at: now) > 0
    }

    func signal() { clock.signal() }

    func turn() {
        guard let socket else { return }
        if phase == .connecting { return goOn(socket) }
        let now = Monotonic.milliseconds
        guard clock.takesTurn(at: now, isAwaiting: !awaited.isEmpty) else { return }
        if socket.backlog > 0, flush(socket) { clock.restart(at: now) }
        if isMuchUnderWay { clock.note(arrived: socket.arrived, at: now) }
        if !isMuchUnderWay { isCrowded = false }
        if self.socket === socket { read(socket) }
        // Also while more comes: a server that never stops sending must not put off the end of a limit.
        if self.socket === socket { giveUp(now) }
        if self.socket === socket { failLate(now) }
    }

    func engineEnded() { end(ofEngine: true) }

    /// Fails the callers that have waited long enough. The connection lives; their replies are dropped. On a slow line
    /// no other caller waits until what is on its way has arrived.
    private func failLate(_ now: Int) {
        guard phase == .ready else { return }
        let late = awaited.takeLate(since: clock.startOfLateWaits(isBusy: isMuchUnderWay, at: now))
        isCrowded = isCrowded || !late.isEmpty
        for then in late { then(.failure(.late)) }
    }

    private func goOn(_ socket: CurlSocket) {
        switch socket.connect() {
        case .connected: greet()
        case .failed(let reason): lose(shown(reason))
        case .underWay: giveUp(Monotonic.milliseconds)
        }
    }

    private func giveUp(_ now: Int) {
        let isLate = clock.patienceToConnect(at: now) == 0
        switch phase {
        case .connecting where isLate: lose("no connection within \(limits.connect) ms")
        case .greeting where isLate: lose("no reply to the greeting within \(limits.connect) ms")
        case .ready:
            guard let turn = awaited.turn, let overrun = clock.overrun(turn, at: now) else { return }
            // A second wait of that length would be one too many.
            lose(overrun.reason, opensBreaker: overrun.isOfTotal)
        default: break
        }
    }
}
