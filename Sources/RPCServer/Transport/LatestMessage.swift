import DataSources
import System

/// Sends messages of which only the newest matters, such as notifications of an item's current value.
///
/// While the client does not read, a new message replaces the waiting one. So frequent changes cannot fill the memory.
final class LatestMessage: Sendable {
    private struct State {
        /// The message that waits for room in the client's output queue; nil if none waits.
        var message: [UInt8]?
        var isWaiting = false
        var isStopped = false
    }

    private let client: any MessageSink
    private let pause: @Sendable () async -> Void
    private let state = Lock(State())

    /// Creates a sender for one client.
    ///
    /// - Parameter pause: the wait between two checks whether the client's output queue has room.
    init(
        client: any MessageSink,
        pause: @escaping @Sendable () async -> Void = { try? await EventLoop.shared.sleep(milliseconds: 100) }
    ) {
        self.client = client
        self.pause = pause
    }

    /// Sends a message at once, or as soon as the client's output queue has room.
    func send(_ message: [UInt8]) {
        let isFirstToWait = state.withLock { state in
            guard !state.isStopped else { return false }
            guard state.isWaiting || !client.hasRoom else {
                // The message is sent under the lock, so that no older message can follow it.
                client.send(message: message)
                return false
            }
            state.message = message
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isFirstToWait { Task(executorPreference: EventLoop.shared) { [self] in await sendLater() } }
    }

    /// Drops the waiting message. Messages that are passed to `send` afterwards are dropped too.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.message = nil
        }
    }

    private func sendLater() async {
        repeat { await pause() } while !sendWaiting()
    }

    /// Sends the waiting message if the client's output queue has room. Returns true if no message is waiting
    /// afterwards.
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
