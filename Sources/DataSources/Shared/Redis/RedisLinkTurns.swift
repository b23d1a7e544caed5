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
            guard let sent = awaited.begin else { return 3_600_000 }
            return min(clock.patience(since: sent, at: now), isMuchUnderWay ? Self.lookForArrivalEvery : .max)
        default: return nil
        }
    }

    /// Whether there may be much on the way to the server: then what has arrived counts as a sign, too.
    var isMuchUnderWay: Bool {
        guard !awaited.isEmpty, let socket else { return false }
        return socket.sent - clock.arrived > Self.much
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
        if self.socket === socket, isMuchUnderWay { failLate(now) }
        if self.socket === socket, !clock.isSignalled { giveUp(now) }
    }

    func engineEnded() { end(ofEngine: true) }

    /// The connection lives; but who waits is not to wait for all that stands before. What comes for them is passed
    /// over, and nobody else waits until it is better.
    private func failLate(_ now: Int) {
        let late = awaited.takeLate(since: now - limits.silence)
        isCrowded = isCrowded || !late.isEmpty
        for then in late { then(.failure(.late)) }
    }

    private func goOn(_ socket: CurlSocket) {
        switch socket.connect() {
        case .connected: greet()
        case .failed(let reason): lose(reason)
        case .underWay: giveUp(Monotonic.milliseconds)
        }
    }

    private func giveUp(_ now: Int) {
        let isLate = clock.patienceToConnect(at: now) == 0
        switch phase {
        case .connecting where isLate: lose("no connection within \(limits.connect) ms")
        case .greeting where isLate: lose("no reply to the greeting within \(limits.connect) ms")
        case .ready:
            if let sent = awaited.begin, let reason = clock.overdue(since: sent, at: now) { lose(reason) }
        default: break
        }
    }
}
