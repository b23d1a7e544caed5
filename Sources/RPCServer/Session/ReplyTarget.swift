import DataSources
import JSON
import Protocol
import System

/// The destination of a reply: the client, a JSON-RPC batch, or no destination.
enum ReplyTarget: Sendable {
    /// The client receives the reply as a separate message.
    case stream(any MessageSink)
    /// The reply becomes an element of the array that answers a JSON-RPC batch.
    case batch(BatchReply)
    /// No reply is sent, because the message is a notification.
    case none

    /// Writes a result or an error as a JSON-RPC reply, and passes the reply to the destination.
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

    /// Records that the request gets no reply. The batch of the request then stops waiting for this reply.
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

/// An object that sends complete messages to the client, or collects them. The messages that it gets have no frame: no
/// `Content-Length` header and no final newline.
protocol MessageSink: AnyObject, Sendable {
    /// Whether the output queue to the client has room. Without room, optional messages are not sent.
    var hasRoom: Bool { get }

    func send(message: [UInt8])

    /// Sends the message that `body` writes. An implementation may pass its output buffer to `body`, which avoids a
    /// copy of the message.
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

/// Collects the replies to the requests of a JSON-RPC batch. After the last reply, the batch sends all replies as one
/// array (JSON-RPC 2.0, section 6).
final class BatchReply: Sendable {
    private struct State {
        var text: [UInt8] = [UInt8(ascii: "[")]
        /// The number of replies that have not arrived yet. Until `close` is called, the number is 1 higher, so that
        /// the batch does not end before all of its requests are known.
        var missing = 1
    }

    private let sink: any MessageSink
    private let state = Lock(State())

    init(sink: any MessageSink) { self.sink = sink }

    /// Records that one more request of the batch needs a reply.
    func expect() { state.withLock { $0.missing += 1 } }

    /// Adds a reply to the batch. The caller must have called `expect` before.
    func add(_ reply: [UInt8]) {
        finish { state in
            if state.text.count > 1 { state.text.append(UInt8(ascii: ",")) }
            state.text += reply
        }
    }

    /// Records that one of the expected replies will never arrive.
    func dropOne() { finish { _ in } }

    /// Records that the batch contains no further requests.
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
