import JSON
import Protocol
import System

/// `larder call`: one request through the same dispatcher as a session's.
enum CallCommand {
    /// Takes the one reply, which comes last.
    private final class ReplyBox: MessageSink {
        private let reply = Monitor<[UInt8]?>(nil)

        func send(message: [UInt8]) {
            guard let value = try? JSONValue(parsing: String(decoding: message, as: UTF8.self)), value["method"] == nil
            else { return }
            reply.change { $0 = message }
        }
        func wait() -> [UInt8] { reply.wait(until: { $0 != nil }, then: { $0 ?? [] }) }
    }

    /// The result, or the error as JSON.
    static func run(method: String, params: JSONValue, _ process: Process) -> Result<String, CallFailure> {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        var tape = JSONTape()
        var reply = JSONWriter()
        let box = ReplyBox()
        let dispatcher = Dispatcher(Session(process.serving))
        Array(request.text.utf8).withUnsafeBytes {
            dispatcher.handle($0, tape: &tape, reply: &reply, sink: box)
        }
        let text = reply.bytes.isEmpty ? box.wait() : reply.bytes
        guard let value = try? JSONValue(parsing: String(decoding: text, as: UTF8.self)) else {
            return .failure(CallFailure(error: "no reply"))
        }
        if let result = value["result"] { return .success(result.text) }
        return .failure(CallFailure(error: value["error"]?.text ?? "no reply"))
    }
}

/// The error of a call, as JSON.
struct CallFailure: Error, Equatable {
    let error: String
}
