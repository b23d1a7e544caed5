import HTTP
import System

/// Sends small batches of commands to the Redis server on the caller's thread while the event loop waits for events.
/// The loop need not wake up to send such a batch.
///
/// The loop allows such sends just before a wait, and forbids them as soon as the wait ends. At other times, only the
/// loop sends.
final class DirectLine: Sendable {
    /// A batch of commands that another thread sent while the event loop waited. The loop does not know of the batch
    /// until the wait ends.
    struct Batch: Sendable {
        /// The number of commands in the batch.
        let commands: Int
        /// An upper bound of the batch's encoded size, in bytes: the sum of `RedisCommand.size` over the commands.
        let size: Int
        /// The exact encoded size of the batch, in bytes.
        let bytes: Int
        /// The time at which the batch was sent, in milliseconds.
        let begin: Int
        /// Whether a caller waits for the replies to the batch.
        let isWaited: Bool
        let then: RedisLink.Completion
    }

    enum Outcome {
        case sent
        /// Nothing was sent, because the `DirectLine` is closed or the batch of commands is too large.
        case refused
        /// The socket did not accept all bytes. The connection can no longer be used.
        case broken
    }

    private struct State {
        var descriptor: Int32?
        var batches: [Batch] = []
        /// The total size of `batches`, in bytes.
        var size = 0
        var isBroken = false
    }

    /// The maximum total size of the batches that other threads send during one wait of the event loop, in bytes. An
    /// idle socket accepts this number of bytes immediately, even if the server reads nothing.
    static let maxSize = 4 << 10

    private let state = Lock(State())
    /// The lock that a thread holds while it sends a batch. The lock makes sure that batches are sent in the order of
    /// `State.batches`.
    // The lock is separate from `state`, because the loop often needs `state` before the send has returned.
    private let sending = Lock(())

    /// Lets other threads send commands over a connected socket, which must not use TLS.
    func open(_ descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

    /// Stops sends by other threads until the next `open`. Returns the batches that were sent since the last `open`, in
    /// the order of sending.
    func close() -> [Batch] {
        state.withLock { state in
            state.descriptor = nil
            guard !state.batches.isEmpty else { return [] }
            defer { (state.batches, state.size) = ([], 0) }
            return state.batches
        }
    }

    /// Waits until other threads have finished the sends that they began before `close`. The wait is short, because a
    /// send never blocks on the socket.
    func settle() { sending.withLock { _ in } }

    /// Returns whether a batch was sent only in part since the last call of this function.
    func takeBreak() -> Bool {
        state.withLock { state in
            defer { state.isBroken = false }
            return state.isBroken
        }
    }

    /// Sends a batch of commands without waiting for the replies. Refuses the batch if the `DirectLine` is closed or
    /// the total size of the sent batches would exceed `maxSize`.
    ///
    /// - Parameter then: called on the event loop with the replies, unless the batch is refused.
    func send(_ commands: [RedisCommand], isWaited: Bool, _ then: @escaping RedisLink.Completion) -> Outcome {
        guard !commands.isEmpty, state.withLock({ $0.descriptor != nil }) else { return .refused }
        let size = commands.reduce(0) { $0 + $1.size }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for command in commands { command.encode(into: &bytes) }
        let batch = Batch(
            commands: commands.count, size: size, bytes: bytes.count, begin: Monotonic.milliseconds, isWaited: isWaited,
            then: then)
        return sending.withLock { _ in
            let descriptor = state.withLock { state in
                guard let descriptor = state.descriptor, state.size + size <= Self.maxSize else { return Int32?.none }
                state.batches.append(batch)
                state.size += size
                return descriptor
            }
            guard let descriptor else { return .refused }
            if CurlSocket.send(bytes, to: descriptor) { return .sent }
            state.withLock { $0.isBroken = true }
            return .broken
        }
    }
}
