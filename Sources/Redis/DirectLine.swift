import HTTP
import System

/// A shortcut to the Redis server: sends small batches of commands on the caller's thread while the event loop waits.
/// The loop then wakes up only for the replies, not for the commands.
///
/// The loop opens the line just before it waits and closes it as soon as the wait ends. While the line is closed, only
/// the loop sends.
final class DirectLine: Sendable {
    /// A batch that was sent over the direct line. The event loop has not yet registered it for replies.
    struct Batch: Sendable {
        /// The number of commands.
        let commands: Int
        /// The sum of `RedisCommand.size` over the commands of the batch.
        let size: Int
        /// The number of bytes that the commands of the batch have when encoded.
        let bytes: Int
        /// The time at which the batch was sent, in milliseconds.
        let begin: Int
        /// Whether a caller waits for the replies.
        let isWaited: Bool
        let then: RedisLink.Completion
    }

    enum Outcome {
        case sent
        /// Nothing was sent, because the line is closed or the batch is too large.
        case refused
        /// The socket did not accept all bytes. The connection can no longer be used.
        case broken
    }

    private struct State {
        var descriptor: Int32?
        var batches: [Batch] = []
        /// The sum of the sizes of `batches`, in bytes.
        var size = 0
        var isBroken = false
    }

    /// The maximum size of all batches that are sent while the line is open once, in bytes. An idle socket accepts this
    /// number of bytes immediately, even if the server reads nothing.
    static let maxSize = 4 << 10

    private let state = Lock(State())
    /// A lock held during a send, so that batches are sent in the order of `State.batches`. It is separate from
    /// `state`, which the loop locks as soon as a reply wakes it, often before the send has returned.
    private let sending = Lock(())

    /// Opens the line over a connected socket without TLS.
    func open(_ descriptor: Int32) { state.withLock { $0.descriptor = descriptor } }

    /// Closes the line. Returns the batches that were sent while the line was open, in the order of their replies.
    func close() -> [Batch] {
        state.withLock { state in
            state.descriptor = nil
            guard !state.batches.isEmpty else { return [] }
            defer { (state.batches, state.size) = ([], 0) }
            return state.batches
        }
    }

    /// Waits until all sends that began before the line was closed have returned. Sends never block on the socket.
    func settle() { sending.withLock { _ in } }

    /// Returns whether a batch was only partly sent since the last call of this function.
    func takeBreak() -> Bool {
        state.withLock { state in
            defer { state.isBroken = false }
            return state.isBroken
        }
    }

    /// Sends a batch without waiting. Refuses the batch if the line is closed or `maxSize` would be exceeded.
    ///
    /// - Parameter then: called on the loop, unless the batch is refused.
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
