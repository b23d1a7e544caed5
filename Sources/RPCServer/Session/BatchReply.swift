import DataSources
import System

/// Collects the replies to a batch and sends them as one array when the last has come (JSON-RPC 2.0, section 6).
final class BatchReply: Sendable {
    private struct State {
        var text: [UInt8] = [UInt8(ascii: "[")]
        /// Replies that are still to come, and one for the reader until it has gone through the batch.
        var missing = 1
    }

    private let sink: any MessageSink
    private let state = Lock(State())

    init(sink: any MessageSink) { self.sink = sink }

    /// Says that one more reply will come.
    func expect() { state.withLock { $0.missing += 1 } }

    /// Takes a reply that was expected.
    func add(_ reply: [UInt8]) {
        finish { state in
            if state.text.count > 1 { state.text.append(UInt8(ascii: ",")) }
            state.text += reply
        }
    }

    /// Says that the reader has gone through the batch.
    func close() { finish { _ in } }

    private func finish(_ change: (inout State) -> Void) {
        let text: [UInt8]? = state.withLock { state in
            change(&state)
            state.missing -= 1
            guard state.missing == 0, state.text.count > 1 else { return nil }
            return state.text + [UInt8(ascii: "]")]
        }
        if let text { sink.send(message: text) }
    }
}
