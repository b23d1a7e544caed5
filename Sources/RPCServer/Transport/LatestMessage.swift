import DataSources
import System

/// Sends messages of which each makes those before it obsolete.
///
/// While the client does not read, only the last is kept: what changes on and on cannot fill the memory.
final class LatestMessage: Sendable {
    private struct State {
        /// What waits for room.
        var message: [UInt8]?
        var isWaiting = false
        var isStopped = false
    }

    private let client: any MessageSink
    private let pause: @Sendable () async -> Void
    private let state = Lock(State())

    /// - Parameter pause: waits until it is time to look for room again.
    init(
        client: any MessageSink,
        pause: @escaping @Sendable () async -> Void = { try? await EventLoop.shared.sleep(milliseconds: 100) }
    ) {
        self.client = client
        self.pause = pause
    }

    /// Sends a message, now or when there is room for it.
    func send(_ message: [UInt8]) {
        let isFirstToWait = state.withLock { state in
            guard !state.isStopped else { return false }
            guard state.isWaiting || !client.hasRoom else {
                // Under the lock: no older message may come after it.
                client.send(message: message)
                return false
            }
            state.message = message
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isFirstToWait { Task(executorPreference: EventLoop.shared) { [self] in await sendLater() } }
    }

    /// Forgets what waits; nothing more is sent.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.message = nil
        }
    }

    private func sendLater() async {
        repeat { await pause() } while !sendWaiting()
    }

    /// Sends what waits, if there is room. Returns whether nothing waits any more.
    func sendWaiting() -> Bool {
        state.withLock { state in
            guard state.isStopped || client.hasRoom else { return false }
            if let message = state.message { client.send(message: message) }
            state.message = nil
            state.isWaiting = false
            return true
        }
    }
}
