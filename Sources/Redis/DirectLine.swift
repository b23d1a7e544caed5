import HTTP
import System

/// Sends small batches of commands to the Redis server on the caller's thread. Meanwhile the event loop waits, and need
/// not wake up.
///
/// The loop opens the direct line just before a wait, and closes it as soon as the wait ends. While the direct line is
/// closed, only the loop sends.
final class DirectLine: Sendable {
    /// A batch of commands that was sent over the direct line. The event loop does not expect the batch's replies yet.
    struct Batch: Sendable {
        /// The number of commands in the batch.
        let commands: Int
        /// The sum of `RedisCommand.size` for all commands of the batch, in bytes.
        let size: Int
        /// The encoded size of the batch's commands, in bytes.
        let bytes: Int
        /// The time at which the batch was sent, in milliseconds.
        let begin: Int
        /// Whether a caller waits for the replies to the batch.
        let isWaited: Bool
        let then: RedisLink.Completion
    }

    enum Outcome {
        case sent
        /// Nothing was sent, because the direct line is closed or the batch of commands is too large.
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

    /// The maximum total size, in bytes, of the batches that are sent while the line is open. An idle socket accepts
    /// this number of bytes immediately, even if the server reads nothing.
    static let maxSize = 4 << 10

    private let state = Lock(State())
    /// The lock that a thread holds during a send, so that batches are sent in the order of `State.batches`.
    // The lock is separate from `state`, because the loop often needs `state` before the send has returned.
    private let sending = Lock(())

    /// Opens the direct line over a connected socket without TLS.
    func open(_ descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

    /// Closes the direct line. Returns the batches that were sent while the line was open, in the order of their
    /// replies.
    func close() -> [Batch] {
        state.withLock { state in
            state.descriptor = nil
            guard !state.batches.isEmpty else { return [] }
            defer { (state.batches, state.size) = ([], 0) }
            return state.batches
        }
    }

    /// Waits for the sends that began before the direct line was closed. The wait is short, because sends never block
    /// on the socket.
    func settle() { sending.withLock { _ in } }

    /// Returns whether the socket has accepted only a part of a batch since the last call of this function.
    func takeBreak() -> Bool {
        state.withLock { state in
            defer { state.isBroken = false }
            return state.isBroken
        }
    }

    /// Sends a batch without waiting. Refuses the batch if the direct line is closed or the batch would exceed
    /// `maxSize`.
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
