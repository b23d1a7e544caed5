import JSON
import Protocol

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
