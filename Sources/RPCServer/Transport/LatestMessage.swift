import DataSources
import System

/// Sends messages that each replace the previous one, such as notifications of an item's current value.
///
/// While the client does not read, only the newest message is kept, so frequent changes cannot fill the memory.
final class LatestMessage: Sendable {
    private struct State {
        /// The message that waits for room in the client's queue.
        var message: [UInt8]?
        var isWaiting = false
        var isStopped = false
    }

    private let client: any MessageSink
    private let pause: @Sendable () async -> Void
    private let state = Lock(State())

    /// - Parameter pause: waits until the client's output is checked again for free space.
    init(
        client: any MessageSink,
        pause: @escaping @Sendable () async -> Void = { try? await EventLoop.shared.sleep(milliseconds: 100) }
    ) {
        self.client = client
        self.pause = pause
    }

    /// Sends a message now, or as soon as the client's queue has room.
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

    /// Drops the waiting message. No message is sent afterwards.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.message = nil
        }
    }

    private func sendLater() async {
        repeat { await pause() } while !sendWaiting()
    }

    /// Sends the waiting message if there is room. Returns whether no message waits any more.
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
