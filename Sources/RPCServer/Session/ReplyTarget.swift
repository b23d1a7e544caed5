import DataSources
import JSON
import Protocol
import System

/// The destination of a reply.
enum ReplyTarget: Sendable {
    /// The reply is sent as its own message.
    case stream(any MessageSink)
    /// The reply becomes part of a batch's reply.
    case batch(BatchReply)
    /// The reply is dropped, because notifications get none.
    case none

    /// Writes the reply and delivers it.
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

    /// Notes that no reply will come.
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

/// A receiver of whole, unframed messages.
protocol MessageSink: AnyObject, Sendable {
    /// Whether the client's queue has room, so that optional messages may be sent now.
    var hasRoom: Bool { get }

    func send(message: [UInt8])

    /// Sends the message that `body` writes. If possible, the message is framed in place.
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

/// Collects the replies to a batch, and sends them as one array after the last one (JSON-RPC 2.0, section 6).
final class BatchReply: Sendable {
    private struct State {
        var text: [UInt8] = [UInt8(ascii: "[")]
        /// The number of expected replies, plus one until `close` is called.
        var missing = 1
    }

    private let sink: any MessageSink
    private let state = Lock(State())

    init(sink: any MessageSink) { self.sink = sink }

    /// Announces one more reply.
    func expect() { state.withLock { $0.missing += 1 } }

    /// Adds a reply that was announced.
    func add(_ reply: [UInt8]) {
        finish { state in
            if state.text.count > 1 { state.text.append(UInt8(ascii: ",")) }
            state.text += reply
        }
    }

    /// Notes that an announced reply will not come.
    func dropOne() { finish { _ in } }

    /// Notes that the batch was read to its end.
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
