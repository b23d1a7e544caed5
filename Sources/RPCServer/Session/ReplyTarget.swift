import DataSources
import JSON
import Protocol
import System

/// Where a reply goes.
enum ReplyTarget: Sendable {
    /// Out, as a message of its own.
    case stream(any MessageSink)
    /// Into a batch's answer.
    case batch(BatchReply)
    /// Nowhere: a notification has none.
    case none

    /// Writes the reply and hands it on.
    func deliver(_ outcome: Result<any RPCResult, RPCError>, id: RequestID?) {
        switch self {
        case .stream(let sink): sink.send { Self.write(outcome, id, to: &$0) }
        case .batch(let batch):
            var writer = JSONWriter()
            Self.write(outcome, id, to: &writer)
            batch.add(writer.bytes)
        case .none: break
        }
    }

    /// Says that there will be no reply.
    func drop() {
        if case .batch(let batch) = self { batch.dropOne() }
    }

    private static func write(
        _ outcome: Result<any RPCResult, RPCError>, _ id: RequestID?, to writer: inout JSONWriter
    ) {
        switch outcome {
        case .success(let result):
            Reply.beginResult(id ?? .null, to: &writer)
            result.write(to: &writer)
            Reply.endResult(to: &writer)
        case .failure(let error): Reply.error(error, id: id ?? .null, to: &writer)
        }
    }
}

/// Takes whole messages, unframed.
protocol MessageSink: AnyObject, Sendable {
    /// Whether there is no need to wait with what can wait.
    var hasRoom: Bool { get }

    func send(message: [UInt8])

    /// Sends the message that `body` writes, framed where it lies if that can be.
    func send(_ body: (inout JSONWriter) -> Void)
}

extension MessageSink {
    var hasRoom: Bool { true }

    func send(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        self.send(message: writer.bytes)
    }
}

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

    /// Says that a reply that was expected will not come.
    func dropOne() { finish { _ in } }

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
