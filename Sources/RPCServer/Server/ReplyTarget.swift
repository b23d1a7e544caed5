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
        if case .none = self { return }
        var writer = JSONWriter()
        switch outcome {
        case .success(let result):
            Reply.beginResult(id ?? .null, to: &writer)
            result.write(to: &writer)
            Reply.endResult(to: &writer)
        case .failure(let error): Reply.error(error, id: id ?? .null, to: &writer)
        }
        switch self {
        case .stream(let sink): sink.send(message: writer.bytes)
        case .batch(let batch): batch.add(writer.bytes)
        case .none: break
        }
    }
}

/// Takes whole messages, unframed.
protocol MessageSink: AnyObject, Sendable {
    /// Whether there is no need to wait with what can wait.
    var hasRoom: Bool { get }

    func send(message: [UInt8])
}

extension MessageSink {
    var hasRoom: Bool { true }
}
