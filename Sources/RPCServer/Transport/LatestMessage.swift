import DataSources
import System

/// Sends only the newest of several messages, such as notifications of an item's current value.
///
/// If the client reads slowly, a new message replaces the waiting message. At most one message waits at a time.
final class LatestMessage: Sendable {
    private struct State {
        /// The message that waits for room in the client's output queue; nil if no message waits.
        var message: [UInt8]?
        var isWaiting = false
        var isStopped = false
    }

    private let client: any MessageSink
    private let pause: @Sendable () async -> Void
    private let state = Lock(State())

    /// Creates a sender for one client.
    ///
    /// - Parameter pause: waits before the next check for room in the client's output queue.
    init(
        client: any MessageSink,
        pause: @escaping @Sendable () async -> Void = { try? await EventLoop.shared.sleep(milliseconds: 100) }
    ) {
        self.client = client
        self.pause = pause
    }

    /// Sends a message when the client's output queue has room.
    func send(_ message: [UInt8]) {
        let isFirstToWait = state.withLock { state in
            guard !state.isStopped else { return false }
            guard state.isWaiting || !client.hasRoom else {
                // The lock is held during the send, so that no older message can follow this message.
                client.send(message: message)
                return false
            }
            state.message = message
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isFirstToWait { Task(executorPreference: EventLoop.shared) { [self] in await sendLater() } }
    }

    /// Drops the waiting message and all later messages.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.message = nil
        }
    }

    private func sendLater() async {
        repeat { await pause() } while !sendWaiting()
    }

    /// Sends the waiting message if the client's output queue has room. Returns true if no message is waiting after the
    /// call.
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
